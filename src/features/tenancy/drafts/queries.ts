import { sql } from 'kysely';
import type { Moment, Time } from '../../../db/tables.ts';
import { defineRetention } from '../../../jobs/retention.ts';
import type { JsonColumn } from '../../../resources/field-types.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { isRecordVisible, type KindVisibility } from '../entity-history/index.ts';
import type { DraftPath, DraftsQuery } from './schema.ts';

interface DraftTable {
  tenant_id: string;
  membership_id: string;
  entity_type: string;
  sort_key: string;
  base_version: number | null;
  data: JsonColumn<Record<string, unknown>>;
  is_shared: boolean;
  saved_at: Time;
}

declare module '../../../db/tables.ts' {
  interface Tables {
    drafts: DraftTable;
  }
}

/** Days for which a draft is kept after its last change. */
const RETENTION_DAYS = 90;

/** A draft without its content. */
export interface DraftRow {
  readonly membership_id: string;
  readonly author_name: string;
  readonly entity_type: string;
  readonly key: string;
  readonly base_version: number | null;
  readonly shared: boolean;
  readonly saved_at: string;
}

/** The member who reads drafts, and the records that the member can see. */
export interface Reader {
  readonly membershipId: string;
  readonly visibility: KindVisibility;
}

const COLUMNS = sql`d.membership_id, u.name as author_name, d.entity_type, d.sort_key as key, d.base_version,
  d.is_shared as shared, d.saved_at`;

/**
 * Lists the reader's drafts of a kind, and then the shared ones of records that the reader can see, newest first: at
 * most `limit` of each. `db` must have the scope of the whole tenant.
 */
export async function listDrafts(
  db: ScopedDb,
  { membershipId, visibility }: Reader,
  { entity_type, key }: DraftsQuery,
  limit: number,
): Promise<DraftRow[]> {
  const { rows } = await db.raw((tenantId) => {
    const matches = sql`d.tenant_id = ${tenantId}::uuid and d.entity_type = ${entity_type}
      and ${key === undefined ? sql`true` : sql`d.sort_key = ${key}`}`;
    const isOwn = sql`d.membership_id = ${membershipId}::uuid`;
    return sql<DraftRow>`
      select ${COLUMNS} from (
        (select * from drafts d where ${matches} and ${isOwn} order by d.saved_at desc limit ${limit}::int)
        union all
        (select * from drafts d where ${matches} and d.is_shared and not ${isOwn}
          and ${isRecordVisible(tenantId, { kind: sql.ref('d.entity_type'), key: sql.ref('d.sort_key') }, visibility)}
          order by d.saved_at desc limit ${limit}::int)
      ) d
      join memberships m on m.tenant_id = ${tenantId}::uuid and m.membership_id = d.membership_id
      join users u on u.user_id = m.user_id
      order by ${isOwn} desc, d.saved_at desc`;
  });
  return rows;
}

/** Returns a draft with its content: the reader's own, or a shared one of a record that the reader can see. */
export async function findDraft(
  db: ScopedDb,
  { membershipId, visibility }: Reader,
  { entity_type, key }: DraftPath,
  authorId: string,
): Promise<(DraftRow & { readonly data: Record<string, unknown> }) | undefined> {
  const { rows } = await db.raw(
    (tenantId) => sql<DraftRow & { data: Record<string, unknown> }>`
      select ${COLUMNS}, d.data from drafts d
      join memberships m on m.tenant_id = ${tenantId}::uuid and m.membership_id = d.membership_id
      join users u on u.user_id = m.user_id
      where d.tenant_id = ${tenantId}::uuid and d.membership_id::text = ${authorId} and d.entity_type = ${entity_type}
        and d.sort_key = ${key} and (d.membership_id = ${membershipId}::uuid or d.is_shared
          and ${isRecordVisible(tenantId, { kind: sql.ref('d.entity_type'), key: sql.ref('d.sort_key') }, visibility)})`,
  );
  return rows[0];
}

/** Returns the number of drafts of a member besides the one of this item. */
export async function countOtherDrafts(
  db: ScopedDb,
  membershipId: string,
  { entity_type, key }: DraftPath,
): Promise<number> {
  const { count } = await db.query
    .selectFrom('drafts')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('membership_id', '=', membershipId)
    .where((eb) => eb.not(eb.and([eb('entity_type', '=', entity_type), eb('sort_key', '=', key)])))
    .executeTakeFirstOrThrow();
  return count;
}

/** Keeps a draft in place of the member's earlier one of the same item. */
export async function upsertDraft(
  db: ScopedDb,
  draft: Omit<DraftTable, 'tenant_id' | 'data' | 'saved_at'> & {
    readonly data: string;
    readonly saved_at: Moment;
  },
): Promise<void> {
  const { base_version, data, is_shared, saved_at } = draft;
  await db.query
    .insertInto('drafts')
    .values({ tenant_id: db.tenantId, ...draft })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'membership_id', 'entity_type', 'sort_key'])
        .doUpdateSet({ base_version, data, is_shared, saved_at }),
    )
    .execute();
}

/** Deletes a draft of a member. Returns false if there is none. */
export async function deleteDraftOf(
  db: ScopedDb,
  membershipId: string,
  { entity_type, key }: DraftPath,
): Promise<boolean> {
  const { numDeletedRows } = await db.query
    .deleteFrom('drafts')
    .where('membership_id', '=', membershipId)
    .where('entity_type', '=', entity_type)
    .where('sort_key', '=', key)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Drafts that nobody has changed for long. */
export const draftRetention = defineRetention({
  description: 'drafts',
  keptHours: RETENTION_DAYS * 24,
  table: 'drafts',
  isOld: (before) => sql`r.saved_at < ${before}`,
  byTenant: true,
});
