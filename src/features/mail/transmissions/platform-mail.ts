/** Mail that the platform itself sends, such as notifications of submissions, as transmissions. */
import type { Platform } from '../../../platform.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { toMessages } from './create.ts';
import { failureReason } from './message-status.ts';
import { insertMessages, insertTransmission, listMessages } from './queries.ts';
import { workQueueOf } from './sending/queue.ts';
import { type FreeData, LANES, type StoredContent, type StoredOptions, type StoredStatus } from './tables.ts';

/** A transactional mail that the platform itself sends, without tracking. */
export interface PlatformMail
  extends Pick<StoredContent, 'from' | 'replyTo' | 'subject' | 'html' | 'text'>,
    Partial<Pick<StoredContent, 'generateText' | 'snippets' | 'attachments'>> {
  /** Id of the transmission. */
  readonly id: string;
  readonly ownerBuId: string;
  readonly description: string;
  /** Addresses of the recipients. */
  readonly to: readonly string[];
  /** Data of the texts as templates, deleted when the recipient is erased. Absent if the texts are not templates. */
  readonly data?: FreeData;
}

/** Status of a platform mail to one address. */
export interface PlatformMailState {
  readonly status: StoredStatus;
  /** Reason why the mail has not arrived; null without one. */
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

/** Accepts a mail in the open transaction. Suppressions and the sandbox are checked when it is sent. */
export async function acceptPlatformMail(
  tx: ScopedDb,
  { platform, now }: { readonly platform: Platform; readonly now: Date },
  { id, ownerBuId, description, to, data, ...texts }: PlatformMail,
): Promise<void> {
  const lane = LANES.transactional;
  const own = data === undefined ? {} : { substitution_data: data };
  const messages = toMessages({ recipients: to.map((address) => ({ address, ...own })) }, lane);
  const content: StoredContent = { generateText: false, snippets: {}, attachments: [], ...texts };
  const options: StoredOptions = { ...OPTIONS, performSubstitutions: data !== undefined };
  await insertTransmission(tx, {
    id,
    owner_bu_id: ownerBuId,
    created_at: now,
    scheduled_at: null,
    generated_at: now,
    cancelled_at: null,
    description,
    campaign_id: null,
    transactional: true,
    return_path: null,
    recipients: messages.length,
    content,
    options: JSON.stringify(options),
    tags: '[]',
    metadata: null,
    substitution_data: null,
  });
  await insertMessages(tx, { transmissionId: id, lane, createdAt: now, dueAt: now }, messages);
  tx.afterCommit(() => platform.workQueues.wake(workQueueOf(lane)));
}

/** Returns the status of a mail's first message; null if it no longer exists. */
export async function findPlatformMailState(db: ScopedDb, id: string): Promise<PlatformMailState | null> {
  const [message] = await listMessages(db, id, { page: 1, limit: 1 });
  return message === undefined ? null : { status: message.status, error: failureReason(message) };
}
