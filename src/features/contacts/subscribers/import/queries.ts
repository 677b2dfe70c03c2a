import { sql } from 'kysely';
import { deleteRows } from '../../../../jobs/bounded-deletion.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import type { Part } from './rows.ts';

/** Stores the staged rows of a part, as JSON. */
export async function insertPart(
  db: ScopedDb,
  { importId, part }: { readonly importId: string; readonly part: number },
  content: string,
): Promise<void> {
  const values = { tenant_id: db.tenantId, import_id: importId, part, content };
  await db.query.insertInto('subscriber_import_parts').values(values).execute();
}

/** Deletes a part and returns its rows; null if there is none. */
export async function consumePart(tx: ScopedDb, importId: string, part: number): Promise<Part | null> {
  const deleted = tx.query
    .deleteFrom('subscriber_import_parts')
    .where('import_id', '=', importId)
    .where('part', '=', part)
    .returning('content');
  return (await deleted.executeTakeFirst())?.content ?? null;
}

/** Deletes all parts of an import, in statements of at most `limit` parts. */
export async function deleteParts(db: ScopedDb, importId: string, limit: number): Promise<void> {
  const rows = { table: 'subscriber_import_parts', key: ['import_id', 'part'], tenantIds: [db.tenantId] };
  const where = sql`r.import_id = ${importId}`;
  await deleteRows((statement) => db.raw(() => statement), { ...rows, where }, limit);
}
