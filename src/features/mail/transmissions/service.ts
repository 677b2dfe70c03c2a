import { AppError } from '../../../errors/app-error.ts';
import { INVALID_STATUS, invalidRequest, NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import type { JsonText } from '../../../http/json-text.ts';
import { readOperands } from '../../../resources/filter-values.ts';
import { isUuid } from '../../../resources/keys.ts';
import { readListQuery, toPageReply } from '../../../resources/list-queries.ts';
import { totalIn } from '../../../resources/lists.ts';
import { type ListPage, type PageReply, pageOf, toListPage } from '../../../resources/paging.ts';
import { getRecord, lockRecord } from '../../../resources/records.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

import { failureReason, publicStatus } from './message-status.ts';
import {
  cancelMessages,
  countMessages,
  countTransmissions,
  findTransmission,
  findTransmissions,
  listMessages,
  type MessageCounts,
  type TransmissionSummary,
} from './queries.ts';
import { transmissionResource } from './resource.ts';
import {
  type RecipientQuery,
  type RecipientStatus,
  Transmission,
  type TransmissionQuery,
  type TransmissionState,
} from './schema.ts';

/** Counts of a transmission without messages. */
const NO_MESSAGES: MessageCounts = {
  pending: 0,
  sent: 0,
  failed: 0,
  suppressed: 0,
  bounced: 0,
  opened: 0,
  clicked: 0,
};

/** Returns a transmission with its progress. @throws AppError NOT_FOUND. */
export async function getTransmission({ db, now }: MemberContext, id: string): Promise<Transmission> {
  const found = isUuid(id) ? await findTransmission(db, id, now) : undefined;
  const [transmission] = await withCounts(db, found ? [found] : []);
  if (transmission === undefined) throw new AppError(NOT_FOUND);
  return transmission;
}

/** Lists a page of transmissions, newest first by default. @throws AppError INVALID_REQUEST. */
export async function listTransmissions(
  { db, now }: MemberContext,
  { state, tag, from, to, ...query }: TransmissionQuery,
): Promise<PageReply<Transmission> | JsonText> {
  const request = readListQuery(query);
  const filter = { state, tag, from: readTime('from', from), to: readTime('to', to, 'last value') };
  const { found, ...next } = await findTransmissions(db, filter, request, now);
  const total = await totalIn(request, found.length, () => countTransmissions(db, filter, now));
  const page = { results: await withCounts(db, found), ...total, ...next };
  return toPageReply(page, request, Object.keys(Transmission.properties));
}

function readTime(
  field: string,
  text: string | undefined,
  operand: 'value' | 'last value' = 'value',
): string | undefined {
  if (text === undefined) return undefined;
  const read = readOperands('time', operand, text);
  if ('message' in read) throw invalidRequest([{ field, message: read.message }]);
  return String(read.operands[0]);
}

async function withCounts(db: ScopedDb, found: readonly TransmissionSummary[]): Promise<Transmission[]> {
  const counts = await countMessages(
    db,
    found.map(({ id }) => id),
  );
  return found.map(({ recipients, ...transmission }) => {
    const { pending: queued, sent: delivered, ...ended } = counts.get(transmission.id) ?? NO_MESSAGES;
    const { failed, suppressed, bounced, opened, clicked } = ended;
    const sent = delivered + bounced;
    return {
      ...transmission,
      counts: { recipients, queued, sent, failed, suppressed, delivered, bounced, opened, clicked },
    };
  });
}

/** Lists a page of recipients with their status, in the order of the request. @throws AppError NOT_FOUND. */
export async function listRecipients(
  ctx: MemberContext,
  id: string,
  query: RecipientQuery,
): Promise<ListPage<RecipientStatus>> {
  const head = await getRecord(ctx.db, transmissionResource, id);
  const page = pageOf(query);
  const rows = await listMessages(ctx.db, id, page);
  const results = rows.map((row) => ({
    recipient: row.recipient,
    status: publicStatus(row, head),
    error: failureReason(row),
    message_id: row.id,
    sent_at: row.sent_at,
  }));
  return toListPage(results, head.recipients, page);
}

/**
 * Cancels a transmission that is scheduled for later.
 * @throws AppError NOT_FOUND, FORBIDDEN, or INVALID_STATUS when it has started, ended or was cancelled.
 */
export async function cancelTransmission(
  ctx: MemberContext,
  id: string,
): Promise<{ id: string; state: 'cancelled' }> {
  const { db, now } = ctx;
  const head = await lockRecord(ctx, transmissionResource, id, 'editor');
  const found = await findTransmission(db, id, now);
  if (found?.state !== 'scheduled') throw notScheduled(found?.state ?? 'cancelled');
  // All or nothing: messages may become due and be claimed meanwhile.
  const cancelled = await cancelMessages(db, head, now, 'The transmission was cancelled.');
  if (cancelled < head.recipients) throw notScheduled('sending');
  return { id, state: 'cancelled' };
}

function notScheduled(state: TransmissionState): AppError {
  const message = `Only a scheduled transmission can be cancelled; this one is ${state}.`;
  return new AppError(INVALID_STATUS, { message });
}
