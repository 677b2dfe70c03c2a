/** Opens and clicks by recipient address and sending unit. Machines are not counted. */
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import { MAX } from 'uuid';
import type { Tables } from '../../../db/tables.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

/** Kind of engagement with a message. */
export type Engagement = 'opened' | 'clicked';

const COLUMNS = { opened: 'opened_at', clicked: 'clicked_at' } as const;

/**
 * Returns SQL that is true if the subscriber in a row of `table` opened or clicked a message after a moment. Only
 * messages from the subscriber's unit count; `table` has the columns `address_key` and `owner_bu_id`.
 */
export function engagedAfter(kind: Engagement, moment: Date, table: string): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, never>();
  return eb.exists(
    eb
      .selectFrom('email_messages as message')
      .innerJoin('transmissions as sent', 'sent.id', 'message.transmission_id')
      .select('message.id')
      .where('message.recipient', '=', sql<string>`${sql.ref(`${table}.address_key`)}`)
      .where('sent.owner_bu_id', '=', sql<string>`${sql.ref(`${table}.owner_bu_id`)}`)
      .where(`message.${COLUMNS[kind]}`, '>', moment.toISOString()),
  );
}

/** Opens or clicks after one moment and until another. */
export interface EngagementSpan {
  readonly kind: Engagement;
  readonly after: Date;
  readonly until: Date;
}

/** Yields the normalized recipients of such messages, in batches of `limit` messages. */
export async function* recipientsEngaged(
  db: ScopedDb,
  { kind, after, until }: EngagementSpan,
  limit: number,
): AsyncGenerator<readonly string[]> {
  const column = sql.ref(COLUMNS[kind]);
  let [at, id]: [string, string] = [after.toISOString(), MAX];
  for (;;) {
    const { rows } = await db.raw(
      (tenantId) => sql<{ id: string; at: string; recipient: string }>`
      select id, ${column}::text as at, recipient from email_messages
      where tenant_id = ${tenantId}::uuid and (${column}, id) > (${at}::timestamptz, ${id}::uuid)
        and ${column} <= ${until}::timestamptz
      order by ${column}, id limit ${limit}`,
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    yield [...new Set(rows.map(({ recipient }) => recipient))];
    if (rows.length < limit) return;
    [at, id] = [last.at, last.id];
  }
}
