/** What a statement that writes records notes in history: versions, made from the rows that it wrote. */
import { type RawBuilder, sql } from 'kysely';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import type { AnyQuery } from './compiled.ts';
import type { Resource } from './resource.ts';

/** What history notes beside the record: slots of the moment and the actor. */
export interface Noting {
  readonly moment: unknown;
  readonly who: unknown;
}

/** The rows of `written`, which the same statement notes in history. */
export function answer(
  written: AnyQuery,
  db: ScopedDb,
  resource: Resource,
  noting: Noting,
  isDeletion: boolean,
) {
  const { entityType } = resource;
  const noted =
    entityType === undefined
      ? written
      : written.with('noted', (q) => noteVersions(q, db, resource, entityType, noting, isDeletion));
  return noted.selectFrom('written').selectAll();
}

/** Notes the versions that `written` holds, as their GET shows them. */
function noteVersions(
  query: AnyQuery,
  db: ScopedDb,
  resource: Resource,
  entityType: string,
  { moment, who }: Noting,
  isDeletion: boolean,
) {
  const noted: Record<string, RawBuilder<unknown>> = {
    tenant_id: sql`${db.tenantId}::uuid`,
    entity_type: sql`${sql.lit(entityType)}`,
    sort_key: sortKey(resource),
    version: sql.ref('written.version'),
    deleted: sql`${sql.lit(isDeletion)}::boolean`,
    owner_bu_id: ownerInHistory(resource),
    recorded_at: sql`${moment}::timestamptz`,
    data: sql`${resource.sqlView('written')}`,
    actor: sql`${who}::json`,
  };
  return query
    .insertInto('record_history')
    .columns(Object.keys(noted))
    .expression((eb) =>
      eb.selectFrom('written').select(Object.entries(noted).map(([column, value]) => value.as(column))),
    );
}

/** `<project_id>#<id>` of what lives in a project. */
function sortKey({ key }: Resource): RawBuilder<unknown> {
  const parts = key.columns.map((column) => sql`${sql.ref(`written.${column}`)}::text`);
  const suffix = key.suffix === undefined ? [] : [sql`${sql.lit(key.suffix)}::text`];
  return sql`${sql.join([...parts, ...suffix], sql` || '#' || `)}`;
}

/** What the tenant shares among its units belongs to none of them. */
function ownerInHistory({ kinds }: Resource): RawBuilder<unknown> {
  if (!kinds.has('owner_bu_id')) return sql`null::uuid`;
  const owner = sql.ref('written.owner_bu_id');
  return kinds.has('shared') ? sql`case when written.shared then null else ${owner} end` : owner;
}
