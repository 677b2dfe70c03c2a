/** Mail that the platform sends of itself, such as of a submission: a transmission like those of callers. */
import type { Platform } from '../../platform.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { toMessages } from './create.ts';
import { insertMessages, insertTransmission } from './queries.ts';
import { ledgerOf } from './sending/ledger.ts';
import { LANES, type StoredContent, type StoredOptions } from './tables.ts';

/** A mail whose texts are sent as they are, untracked, as transactional mail. */
export interface OwnMail extends Pick<StoredContent, 'from' | 'replyTo' | 'subject' | 'html' | 'text'> {
  /** That of the transmission. */
  readonly id: string;
  readonly ownerBuId: string;
  readonly description: string;
  /** Addresses. */
  readonly to: readonly string[];
}

const OPTIONS: StoredOptions = {
  openTracking: false,
  clickTracking: false,
  initialOpen: false,
  sandbox: false,
  skipSuppression: false,
  inlineCss: false,
  performSubstitutions: false,
  ipPool: null,
};

/** Accepts a mail in the open transaction. Suppressions and the sandbox are looked at when it is sent. */
export async function acceptOwnMail(
  tx: ScopedDb,
  { platform, now }: { readonly platform: Platform; readonly now: Date },
  { id, ownerBuId, description, to, ...texts }: OwnMail,
): Promise<void> {
  const lane = LANES.transactional;
  const messages = toMessages({ recipients: to.map((address) => ({ address })) }, lane);
  const content: StoredContent = { ...texts, generateText: false, snippets: {}, attachments: [] };
  await insertTransmission(tx, {
    ...{
      id,
      owner_bu_id: ownerBuId,
      created_at: now,
      scheduled_at: null,
      generated_at: now,
      cancelled_at: null,
    },
    ...{
      description,
      campaign_id: null,
      transactional: true,
      return_path: null,
      recipients: messages.length,
    },
    content,
    options: JSON.stringify(OPTIONS),
    tags: '[]',
    metadata: null,
    substitution_data: null,
  });
  await insertMessages(tx, { transmissionId: id, lane, createdAt: now, dueAt: now }, messages);
  tx.afterCommit(() => platform.ledgers.wake(ledgerOf(lane)));
}
