/** Mail that the platform sends of itself, such as of a submission: a transmission like those of callers. */
import type { Platform } from '../../platform.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { toMessages } from './create.ts';
import { shownError } from './message-status.ts';
import { insertMessages, insertTransmission, listMessages } from './queries.ts';
import { ledgerOf } from './sending/ledger.ts';
import { type FreeData, LANES, type StoredContent, type StoredOptions, type StoredStatus } from './tables.ts';

/** A mail that is sent untracked, as transactional mail. */
export interface OwnMail
  extends Pick<StoredContent, 'from' | 'replyTo' | 'subject' | 'html' | 'text'>,
    Partial<Pick<StoredContent, 'generateText' | 'snippets' | 'attachments'>> {
  /** That of the transmission. */
  readonly id: string;
  readonly ownerBuId: string;
  readonly description: string;
  /** Addresses. */
  readonly to: readonly string[];
  /** What the texts are templates for; it goes with a person's erasure. Absent: they are sent as they are. */
  readonly data?: FreeData;
}

/** What became of a mail to one address. */
export interface OwnMailState {
  readonly status: StoredStatus;
  /** Why it did not arrive, or has not yet. */
  readonly error: string | null;
}

const OPTIONS: Omit<StoredOptions, 'performSubstitutions'> = {
  openTracking: false,
  clickTracking: false,
  initialOpen: false,
  sandbox: false,
  skipSuppression: false,
  inlineCss: false,
  ipPool: null,
};

/** Accepts a mail in the open transaction. Suppressions and the sandbox are looked at when it is sent. */
export async function acceptOwnMail(
  tx: ScopedDb,
  { platform, now }: { readonly platform: Platform; readonly now: Date },
  { id, ownerBuId, description, to, data, ...texts }: OwnMail,
): Promise<void> {
  const lane = LANES.transactional;
  const own = data === undefined ? {} : { substitution_data: data };
  const messages = toMessages({ recipients: to.map((address) => ({ address, ...own })) }, lane);
  const content: StoredContent = { generateText: false, snippets: {}, attachments: [], ...texts };
  const options: StoredOptions = { ...OPTIONS, performSubstitutions: data !== undefined };
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
    options: JSON.stringify(options),
    tags: '[]',
    metadata: null,
    substitution_data: null,
  });
  await insertMessages(tx, { transmissionId: id, lane, createdAt: now, dueAt: now }, messages);
  tx.afterCommit(() => platform.ledgers.wake(ledgerOf(lane)));
}

/** What became of the first message of a mail; null: nobody knows of it any more. */
export async function findOwnMailState(db: ScopedDb, id: string): Promise<OwnMailState | null> {
  const [message] = await listMessages(db, id, { page: 1, limit: 1 });
  return message === undefined ? null : { status: message.status, error: shownError(message) };
}
