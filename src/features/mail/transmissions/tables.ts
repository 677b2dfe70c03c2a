import type { Time } from '../../../db/tables.ts';
import type { StoredCause } from '../../../flows/chain.ts';
import type { JsonColumn } from '../../../resources/field-types.ts';
import type { QueueItem } from '../../../work-queue/work-queue.ts';
import type { TemplateError } from '../email-templates/index.ts';

/** An attachment: a URL to fetch, base64 data, or an asset with its size. */
export interface StoredAttachment {
  readonly name: string;
  readonly type: string;
  readonly url?: string;
  readonly data?: string;
  readonly assetId?: string;
  readonly size?: number;
}

/** Snapshot of a transmission's content, resolved when it was accepted. */
export interface StoredContent {
  readonly from: { readonly address: string; readonly name?: string };
  readonly replyTo: string | null;
  readonly subject: string;
  readonly html: string;
  readonly text: string | null;
  readonly generateText: boolean;
  /** Contents by name, with nested snippets. */
  readonly snippets: Readonly<Record<string, string>>;
  readonly attachments: readonly StoredAttachment[];
}

/** The campaign email or journey step that a transmission sends. */
export interface StoredCampaign {
  /** The campaign's code, or the journey's id. */
  readonly code: string;
  /** The email's id, or the step's key. */
  readonly emailId: string;
  /** The subscription type of its recipients; null for mail without a type. */
  readonly subscriptionTypeId: string | null;
}

/** Options of a transmission with their defaults. */
export interface StoredOptions {
  readonly openTracking: boolean;
  readonly clickTracking: boolean;
  readonly initialOpen: boolean;
  readonly sandbox: boolean;
  readonly skipSuppression: boolean;
  readonly inlineCss: boolean;
  readonly performSubstitutions: boolean;
  readonly ipPool: string | null;
  /** Absent for mail to addresses. */
  readonly campaign?: StoredCampaign;
  /** The cause inside the platform; absent if a caller sent it. */
  readonly cause?: StoredCause;
}

/** Free data of a caller. */
export type FreeData = object;

/** The lanes of messages: transactional overtakes bulk. */
export const LANES = { transactional: 0, bulk: 1 } as const;

/** Reason why a rendered message could not be built. */
export interface BuildError {
  readonly kind: 'make';
  readonly message: string;
}

/** Stored status of a message. Its work queue columns show if a queued message is being sent. */
export type StoredStatus = 'queued' | 'sent' | 'failed' | 'suppressed' | 'bounced';

/** A message to one recipient. */
export interface EmailMessageRow extends QueueItem {
  lane: number;
  transmission_id: string;
  /** The transmission whose content the message has; null for its own transmission. */
  content_id: string | null;
  position: number;
  /** The subscriber; null for mail to an address alone. */
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
  /** Set if the message could not be built; it was not sent. */
  render_error: JsonColumn<TemplateError | BuildError> | null;
  sent_at: Time | null;
  relay_answer: string | null;
  ended_at: Time | null;
  bounced_at: Time | null;
  bounce_class: string | null;
  /** True if the bounce concerns the sender; it does not count against the address. */
  bounce_about_sender: boolean | null;
  bounce_reason: string | null;
  complained_at: Time | null;
  unsubscribed_at: Time | null;
  opened_at: Time | null;
  clicked_at: Time | null;
}

declare module '../../../db/tables.ts' {
  interface Tables {
    email_messages: EmailMessageRow;
    email_tags: { tenant_id: string; tag: string };
  }
}
