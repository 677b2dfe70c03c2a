import type { Time } from '../../db/tables.ts';
import type { StoredCause } from '../../flows/chain.ts';
import type { LedgerRow } from '../../ledger/ledger.ts';
import type { JsonColumn } from '../../resources/field-types.ts';
import type { TemplateError } from '../email-templates/index.ts';

/** A file that goes along: to be fetched, given in base64, or an asset of this size. */
export interface StoredAttachment {
  readonly name: string;
  readonly type: string;
  readonly url?: string;
  readonly data?: string;
  readonly assetId?: string;
  readonly size?: number;
}

/** What a transmission sends, as it was resolved when it was accepted. */
export interface StoredContent {
  readonly from: { readonly address: string; readonly name?: string };
  readonly replyTo: string | null;
  readonly subject: string;
  readonly html: string;
  readonly text: string | null;
  readonly generateText: boolean;
  /** By name, those included by others included. */
  readonly snippets: Readonly<Record<string, string>>;
  readonly attachments: readonly StoredAttachment[];
}

/** The campaign e-mail that a transmission sends to people, or the step of a journey. */
export interface StoredCampaign {
  /** The campaign's code, or the journey's id. */
  readonly code: string;
  /** The e-mail's id, or the step's key. */
  readonly emailId: string;
  /** What its recipients are subscribed to; null: it is of no type. */
  readonly subscriptionTypeId: string | null;
}

/** How a transmission is sent, defaults filled in. */
export interface StoredOptions {
  readonly openTracking: boolean;
  readonly clickTracking: boolean;
  readonly initialOpen: boolean;
  readonly sandbox: boolean;
  readonly skipSuppression: boolean;
  readonly inlineCss: boolean;
  readonly performSubstitutions: boolean;
  readonly ipPool: string | null;
  /** Absent: it is sent to addresses. */
  readonly campaign?: StoredCampaign;
  /** What led to it; absent: nothing of the platform. */
  readonly cause?: StoredCause;
}

/** Free data of a caller. */
export type FreeData = object;

/** The lanes of messages: transactional overtakes bulk. */
export const LANES = { transactional: 0, bulk: 1 } as const;

/** Why a message that was rendered could not be built. */
export interface MakeError {
  readonly kind: 'make';
  readonly message: string;
}

/** The status of a message as it is stored; that a queued one is being sent is told by its ledger columns. */
export type StoredStatus = 'queued' | 'sent' | 'failed' | 'suppressed' | 'bounced';

/** A message to one recipient. */
export interface EmailMessageRow extends LedgerRow {
  lane: number;
  transmission_id: string;
  /** The transmission whose content it has; null: that of its own. */
  content_id: string | null;
  position: number;
  /** Whom it is to; null: an address alone. */
  subscriber_id: string | null;
  created_at: Time;
  recipient: string;
  address: string;
  name: string | null;
  header_to: string | null;
  tags: JsonColumn<readonly string[]> | null;
  metadata: JsonColumn<FreeData> | null;
  substitution_data: JsonColumn<FreeData> | null;
  status: StoredStatus;
  suppressed_by: string | null;
  rendered_at: Time | null;
  /** Set if the message could not be made: nothing of it has left. */
  render_error: JsonColumn<TemplateError | MakeError> | null;
  sent_at: Time | null;
  relay_answer: string | null;
  ended_at: Time | null;
  bounced_at: Time | null;
  bounce_class: string | null;
  /** The bounce was about us: it does not count against the address. */
  bounce_about_sender: boolean | null;
  bounce_reason: string | null;
  complained_at: Time | null;
  unsubscribed_at: Time | null;
  opened_at: Time | null;
  clicked_at: Time | null;
}

declare module '../../db/tables.ts' {
  interface Tables {
    email_messages: EmailMessageRow;
    email_tags: { tenant_id: string; tag: string };
  }
}
