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
