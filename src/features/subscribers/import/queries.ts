import { sql } from 'kysely';
import { deleteRows } from '../../../jobs/bounded-deletion.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { SubscriberRow } from '../resource.ts';
import type { ImportRow } from './resource.ts';
import type { Part } from './rows.ts';

/** Keeps rows until they are applied. */
export async function insertPart(
  db: ScopedDb,
  { importId, part }: { readonly importId: string; readonly part: number },
  content: string,
): Promise<void> {
  const values = { tenant_id: db.tenantId, import_id: importId, part, content };
  await db.query.insertInto('subscriber_import_parts').values(values).execute();
}

/** Takes the rows of a part; null when there are none. */
export async function takePart(tx: ScopedDb, importId: string, part: number): Promise<Part | null> {
  const taken = tx.query
    .deleteFrom('subscriber_import_parts')
    .where('import_id', '=', importId)
    .where('part', '=', part)
    .returning('content');
  return (await taken.executeTakeFirst())?.content ?? null;
}

/** Forgets what is staged of an import. */
export async function deleteParts(db: ScopedDb, importId: string, limit: number): Promise<void> {
  const rows = { table: 'subscriber_import_parts', key: ['import_id', 'part'], tenantIds: [db.tenantId] };
  const where = sql`r.import_id = ${importId}`;
  await deleteRows((statement) => db.raw(() => statement), { ...rows, where }, limit);
}

/** The import, locked until the transaction ends, or null. */
export async function lockImport(tx: ScopedDb, importId: string): Promise<ImportRow | null> {
  const found = tx.query.selectFrom('subscriber_imports').selectAll().where('id', '=', importId).forUpdate();
  return (await found.executeTakeFirst()) ?? null;
}

/** Notes how far an import is. */
export async function updateImport(
  tx: ScopedDb,
  importId: string,
  { errors, ...changed }: Partial<Omit<ImportRow, 'tenant_id' | 'id' | 'caller'>>,
): Promise<void> {
  const set = { ...changed, ...(errors === undefined ? {} : { errors: JSON.stringify(errors) }) };
  await tx.query.updateTable('subscriber_imports').set(set).where('id', '=', importId).execute();
}

/** A subscriber that is there. */
export type Found = Pick<
  SubscriberRow,
  'id' | 'owner_bu_id' | 'address_key' | 'created_at' | (typeof KEPT)[number]
>;

/** What a subscriber keeps where a row says nothing of it. */
export const KEPT = [
  'first_name',
  'last_name',
  'email',
  'active',
  'inactive_reason',
  'additional_fields_data',
] as const;

/** An address, in its normal form, of a unit. */
export interface Address {
  readonly ownerId: string;
  readonly addressKey: string;
}

/** The subscribers who have any of these addresses, locked until the transaction ends. */
export async function lockSubscribers(tx: ScopedDb, addresses: readonly Address[]): Promise<Found[]> {
  const columns = sql.join(
    (['id', 'owner_bu_id', 'address_key', 'created_at', ...KEPT] as const).map((name) =>
      sql.ref(`s.${name}`),
    ),
  );
  // One by one, by the index: where the planner takes them for many it would read all subscribers of the tenant.
  const { rows } = await tx.raw(
    (tenantId) => sql<Found>`
    select found.*
    from json_to_recordset(${JSON.stringify(addresses)}::json) as given ("ownerId" uuid, "addressKey" text)
    cross join lateral (
      select ${columns} from subscribers s
      where s.tenant_id = ${tenantId}::uuid and s.address_key = given."addressKey" and s.owner_bu_id = given."ownerId"
      for update) found`,
  );
  return rows;
}
