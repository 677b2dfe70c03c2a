import type { Selectable } from 'kysely';
import { validate as isUuid } from 'uuid';
import type { EveryTenantDb } from '../../db/every-tenant.ts';
import type { OutboxTable } from '../../mail/outbox-transport.ts';
import { offsetOf, type PageRequest, totalOf } from '../../resources/paging.ts';

/** A captured message without its bytes. */
export type OutboxSummaryRow = Pick<
  Selectable<OutboxTable>,
  'id' | 'created_at' | 'recipient' | 'header_from' | 'subject'
>;

const SUMMARY = ['id', 'created_at', 'recipient', 'header_from', 'subject'] as const;

/** One page of captured messages of all tenants, newest first, and their number. `recipient` is a normal form. */
export async function listOutbox(
  all: EveryTenantDb,
  recipient: string | null,
  request: PageRequest,
): Promise<{ rows: OutboxSummaryRow[]; total: number }> {
  const matching = all.query
    .selectFrom('email_outbox')
    .$if(recipient !== null, (query) => query.where('recipient', '=', recipient));
  const rows = await matching
    .select(SUMMARY)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(request.limit)
    .offset(offsetOf(request))
    .execute();
  const total = await totalOf(request, rows.length, async () => {
    const counted = await matching.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
    return Number(counted.total);
  });
  return { rows, total };
}

/** A captured message with its bytes, of whatever tenant. */
export async function findOutboxMessage(
  all: EveryTenantDb,
  id: string,
): Promise<(OutboxSummaryRow & { raw: Buffer }) | undefined> {
  if (!isUuid(id)) return undefined;
  const row = await all.query
    .selectFrom('email_outbox')
    .select([...SUMMARY, 'raw'])
    .where('id', '=', id)
    .executeTakeFirst();
  // The embedded database gives plain byte arrays.
  return row && { ...row, raw: Buffer.from(row.raw) };
}
