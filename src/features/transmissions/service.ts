import { AppError } from '../../errors/app-error.ts';
import { NOT_FOUND } from '../../errors/platform-errors.ts';
import type { MemberContext } from '../../http/context.ts';
import { isUuid } from '../../resources/keys.ts';
import { requireRole } from '../../resources/ownership.ts';
import { type ListPage, pageOf, toListPage } from '../../resources/paging.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { INVALID_STATUS } from './errors.ts';
import { shownError, shownStatus } from './message-status.ts';
import {
  cancelMessages,
  countMessages,
  findTransmission,
  listMessages,
  lockTransmission,
  type MessageCounts,
  type TransmissionHead,
} from './queries.ts';
import type { RecipientQuery, RecipientStatus, Transmission, TransmissionState } from './schema.ts';

/** Tells how far a transmission is. @throws AppError NOT_FOUND. */
export async function getTransmission(ctx: MemberContext, id: string): Promise<Transmission> {
  const head = await readTransmission(ctx.db, id);
  const counts = await countMessages(ctx.db, head);
  const { pending: queued, sent: delivered, failed, suppressed, bounced, opened, clicked } = counts;
  const { recipients } = head;
  return {
    id,
    state: stateOf(head, counts, ctx.now),
    scheduled_at: head.scheduled_at === null ? null : String(head.scheduled_at),
    created_at: String(head.created_at),
    description: head.description,
    campaign_id: head.campaign_id,
    counts: {
      ...{ recipients, queued, failed, suppressed, delivered, bounced, opened, clicked },
      sent: delivered + bounced,
    },
  };
}

/** One page of what became of each recipient, in the order of the request. @throws AppError NOT_FOUND. */
export async function listRecipients(
  ctx: MemberContext,
  id: string,
  query: RecipientQuery,
): Promise<ListPage<RecipientStatus>> {
  const head = await readTransmission(ctx.db, id);
  const page = pageOf(query);
  const rows = await listMessages(ctx.db, id, page);
  const results = rows.map((row) => ({
    recipient: row.recipient,
    status: shownStatus(row, head),
    error: shownError(row),
    message_id: row.id,
    sent_at: row.sent_at === null ? null : String(row.sent_at),
  }));
  return toListPage(results, head.recipients, page);
}

/**
 * Cancels a transmission that is scheduled for later.
 * @throws AppError NOT_FOUND, FORBIDDEN, or INVALID_STATUS when it has begun, ended or was cancelled.
 */
export async function cancelTransmission(
  { caller, db, now }: MemberContext,
  id: string,
): Promise<{ id: string; state: 'cancelled' }> {
  if (!isUuid(id)) throw new AppError(NOT_FOUND);
  const head = await lockTransmission(db, id);
  if (!head) throw new AppError(NOT_FOUND);
  requireRole(caller, head.owner_bu_id, 'editor');
  const state = stateOf(head, await countMessages(db, head), now);
  if (state !== 'scheduled') throw notScheduled(state);
  // All or nothing: it may become due, and be taken up, while this runs.
  const cancelled = await cancelMessages(db, head, now, 'The transmission was cancelled.');
  if (cancelled < head.recipients) throw notScheduled('sending');
  return { id, state: 'cancelled' };
}

function notScheduled(state: TransmissionState): AppError {
  const message = `Only a scheduled transmission can be cancelled; this one is ${state}.`;
  return new AppError(INVALID_STATUS, { message });
}

/** A transmission that the scope reads. @throws AppError NOT_FOUND. */
export async function readTransmission(db: ScopedDb, id: string): Promise<TransmissionHead> {
  const head = isUuid(id) ? await findTransmission(db, id) : undefined;
  if (!head) throw new AppError(NOT_FOUND);
  return head;
}

/**
 * How far a transmission is, told by its messages. `generating`: not all messages are written, or none is begun;
 * `failed`: it has ended, and every message failed.
 */
function stateOf(head: TransmissionHead, counts: MessageCounts, now: Date): TransmissionState {
  if (head.cancelled_at !== null) return 'cancelled';
  const isUntouched = counts.untouched === counts.messages;
  if (isUntouched && head.scheduled_at !== null && new Date(head.scheduled_at) > now) return 'scheduled';
  if (head.generated_at === null) return 'generating';
  if (counts.pending > 0) return isUntouched ? 'generating' : 'sending';
  return counts.messages > 0 && counts.failed === counts.messages ? 'failed' : 'completed';
}
