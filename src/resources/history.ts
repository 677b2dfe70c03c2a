import { type GeneratedAlways, type RawBuilder, sql } from 'kysely';
import type { Moment, Time } from '../db/tables.ts';
import { type ActorRecord, toActorRecord } from '../tenancy/actor.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import { tenantRow } from '../tenancy/tenant-row.ts';
import type { EntityType } from './entity-types.ts';
import type { JsonColumn } from './field-types.ts';
import type { Writer } from './statements.ts';

interface RecordHistoryTable {
  tenant_id: string;
  entity_type: string;
  sort_key: string;
  version: number;
  deleted: boolean;
  owner_bu_id: string | null;
  recorded_at: Time;
  data: JsonColumn<unknown>;
  actor: JsonColumn<ActorRecord> | null;
  /** The member among the authors. */
  membership_id: GeneratedAlways<string | null>;
}

declare module '../db/tables.ts' {
  interface Tables {
    record_history: RecordHistoryTable;
  }
}

/** One version of a record, as its GET showed it then, without secrets. */
export interface HistoryEntry {
  readonly entityType: EntityType;
  readonly sortKey: string;
  readonly version: number;
  /** The owning unit; null for records of the tenant as a whole. */
  readonly ownerBuId: string | null;
  readonly recordedAt: Moment;
  readonly data: object;
}

/**
 * A member of versions that history does not store in every version, because another table keeps it forever. An `entry`
 * has the columns `sort_key` and `version`.
 */
export interface HistoryDetail {
  readonly entityType: EntityType;
  /** Its member name in versions. */
  readonly member: string;
  /** SQL of its JSON text and the number of its bytes. */
  readonly text: (tenantId: string, entry: string) => RawBuilder<string>;
  readonly bytes: (tenantId: string, entry: string) => RawBuilder<number>;
}

/** Returns the last version of a key in history, including deleted records; 0 if there is none. */
export async function lastVersionOf(tx: ScopedDb, entityType: EntityType, sortKey: string): Promise<number> {
  const { last } = await tx.query
    .selectFrom('record_history')
    .select(sql<number>`coalesce(max(version), 0)`.as('last'))
    .where('entity_type', '=', entityType)
    .where('sort_key', '=', sortKey)
    .executeTakeFirstOrThrow();
  return last;
}

/**
 * Returns the last versions of these keys in history, including records that are deleted or out of scope; unknown keys
 * are absent.
 */
export async function lastVersionsOf(
  db: ScopedDb,
  entityType: EntityType,
  sortKeys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.raw(
    (tenantId) => sql<{ sort_key: string; last: number }>`
      select sort_key, max(version) as last from record_history
      where tenant_id = ${tenantId}::uuid and entity_type = ${entityType} and sort_key = any(${sortKeys}::text[])
      group by sort_key`,
  );
  return new Map(rows.map(({ sort_key, last }) => [sort_key, last]));
}

/** Returns those of the keys whose records are deleted. */
export async function findDeletedKeys(
  db: ScopedDb,
  entityType: EntityType,
  sortKeys: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await db.raw(
    (tenantId) => sql<{ sort_key: string }>`
      select sort_key from record_history
      where tenant_id = ${tenantId}::uuid and entity_type = ${entityType} and sort_key = any(${sortKeys}::text[])
      group by sort_key having max(version) filter (where deleted) = max(version)`,
  );
  return new Set(rows.map(({ sort_key }) => sort_key));
}

/** Returns all texts that a field of a record had in its versions. */
export async function listFormerTexts(
  tx: ScopedDb,
  entityType: EntityType,
  sortKey: string,
  field: string,
): Promise<string[]> {
  const versions = await tx.query
    .selectFrom('record_history')
    .select(sql<string | null>`data ->> ${field}`.as('text'))
    .distinct()
    .where('entity_type', '=', entityType)
    .where('sort_key', '=', sortKey)
    .execute();
  return versions.flatMap(({ text }) => text ?? []);
}

/** Returns the data of one version of each record, by key; erased versions are absent. */
export async function findVersions(
  db: ScopedDb,
  entityType: EntityType,
  versions: readonly { readonly key: string; readonly version: number }[],
): Promise<ReadonlyMap<string, unknown>> {
  const { rows } = await db.raw(
    (tenantId) => sql<{ key: string; data: unknown }>`
      select v.key, h.data from json_to_recordset(${JSON.stringify(versions)}::json) as v (key text, version int)
      cross join lateral (
        select h.data from record_history h
        where h.tenant_id = ${tenantId}::uuid and h.entity_type = ${entityType} and h.sort_key = v.key
          and h.version = v.version and not h.deleted) h`,
  );
  return new Map(rows.map(({ key, data }) => [key, data]));
}

/** Removes all versions of erased records. */
export async function eraseVersions(
  tx: ScopedDb,
  entityType: EntityType,
  sortKeys: readonly string[],
): Promise<void> {
  await tx.query
    .deleteFrom('record_history')
    .where('entity_type', '=', entityType)
    .where('sort_key', '=', sql<string>`any(${sortKeys}::text[])`)
    .execute();
}

/**
 * Records versions of records that were written by statements without history; call it in the same transaction. With
 * `deleted`, they are the last versions of deleted records.
 */
export async function recordVersions(
  { actor, db }: Pick<Writer, 'actor' | 'db'>,
  entries: readonly HistoryEntry[],
  deleted = false,
): Promise<void> {
  if (entries.length === 0) return;
  await db.raw(
    (tenantId) => sql`
      insert into record_history
        (tenant_id, entity_type, sort_key, version, deleted, owner_bu_id, recorded_at, data, actor)
      select tenant_row.tenant_id, "entityType", "sortKey", version, ${deleted}::boolean, "ownerBuId", "recordedAt", data,
        ${JSON.stringify(toActorRecord(actor))}::json
      from json_to_recordset(${JSON.stringify(entries)}::json) as entries ("entityType" text, "sortKey" text,
        version int, "ownerBuId" uuid, "recordedAt" timestamptz, data json)
      cross join ${tenantRow(tenantId)}`,
  );
}

/** Adds a member to the history entries of records that the open transaction deleted at `now`. */
export async function addToDeleted(
  { db, now }: Pick<Writer, 'db' | 'now'>,
  entityType: EntityType,
  member: string,
  values: ReadonlyMap<string, object>,
): Promise<void> {
  if (values.size === 0) return;
  const added = [...values].map(([sort_key, value]) => ({ sort_key, value }));
  await db.raw(
    (tenantId) => sql`
      update record_history h
      set data = (left(h.data::text, -1) || ${`,${JSON.stringify(member)}:`}::text || a.value::text || '}')::json
      from json_to_recordset(${JSON.stringify(added)}::json) as a (sort_key text, value json)
      where h.tenant_id = ${tenantId}::uuid and h.entity_type = ${entityType} and h.sort_key = a.sort_key
        and h.deleted and h.recorded_at = ${now}`,
  );
}
