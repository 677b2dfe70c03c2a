import { sql } from 'kysely';
import { offsetOf, type PageRequest, totalOf } from '../../../resources/paging.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { Suppression, SuppressionType } from './schema.ts';

/** A suppression as it is stored; `recipient` is a normal form. */
export interface SuppressionRow extends Suppression {
  tenant_id: string;
}

declare module '../../../db/tables.ts' {
  interface Tables {
    email_suppressions: SuppressionRow;
  }
}

const COLUMNS = ['recipient', 'type', 'description', 'created_at'] as const;

/** One page of suppressions, newest first, and their number. */
export async function listSuppressions(
  db: ScopedDb,
  type: SuppressionType | undefined,
  request: PageRequest,
) {
  const all = db.query.selectFrom('email_suppressions');
  const matching = type === undefined ? all : all.where('type', '=', type);
  const rows = await matching
    .select(COLUMNS)
    .orderBy('created_at', 'desc')
    .orderBy('recipient', 'desc')
    .limit(request.limit)
    .offset(offsetOf(request))
    .execute();
  const total = await totalOf(request, rows.length, async () => {
    const counted = await matching.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
    return counted.total;
  });
  return { rows, total };
}

/** The suppressions of any of these recipients (normal forms). */
export function findSuppressionsOf(db: ScopedDb, recipients: readonly string[]): Promise<Suppression[]> {
  return db.query
    .selectFrom('email_suppressions')
    .select(COLUMNS)
    .where('recipient', '=', sql<string>`any(${recipients}::text[])`)
    .execute();
}

/** Removes the suppression of a recipient (normal form); false when there is none. */
export async function deleteSuppression(db: ScopedDb, recipient: string): Promise<boolean> {
  const { numDeletedRows } = await db.query
    .deleteFrom('email_suppressions')
    .where('recipient', '=', recipient)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Writes suppressions, at most one per recipient, in one statement. A recipient that is suppressed already keeps
 * what it has, unless the new one is stronger: what stops all mail replaces what stops some, and a complaint is
 * not forgotten for a bounce. Rows are written in the order of their keys, so that two writers do not wait for each
 * other for good.
 */
export async function upsertSuppressions(tx: ScopedDb, entries: readonly Suppression[]): Promise<void> {
  const strength = (column: string) =>
    sql`array_position(array['unsubscribe', 'bounce', 'complaint'], ${sql.ref(column)})`;
  await sql`
    insert into email_suppressions as stored (tenant_id, recipient, type, description, created_at)
    select ${tx.tenantId}::uuid, recipient, type, description, created_at
    from json_to_recordset(${JSON.stringify(entries)}::json)
      as given (recipient text, type text, description text, created_at timestamptz)
    order by recipient
    on conflict (tenant_id, recipient) do update
      set type = excluded.type, description = excluded.description, created_at = excluded.created_at
      where ${strength('excluded.type')} > ${strength('stored.type')}`.execute(tx.query);
}
