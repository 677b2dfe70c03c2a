import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { conditionSql, type FilterCondition } from '../../../resources/filter-sql.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { changedFields, type KindVisibility, type ShownActor, titleOf } from '../entity-history/index.ts';
import { ACTION, IS_ACTIVITY, joinFacts } from './filters.ts';
import type { Change } from './schema.ts';

/** The position of a change in the list. */
export interface Position {
  /** Time in microseconds; responses show milliseconds. */
  readonly time: string;
  readonly kind: string;
  readonly key: string;
  readonly version: number;
  readonly deleted: boolean;
}

/** A change, and its position in the list. */
export interface ChangeRow extends Omit<Change, 'actor'> {
  readonly actor: ShownActor | null;
  readonly time: string;
  readonly deleted: boolean;
}

/** A page of the list of changes. */
export interface ActivityRequest {
  readonly visibility: KindVisibility;
  readonly conditions: readonly FilterCondition[];
  /** The last change of the previous page; null for the first page. */
  readonly after: Position | null;
  readonly limit: number;
}

/**
 * Returns one page of changes, newest first. The query reads the newest changes of each visible kind and unit from an
 * index, and then the data of the page alone. `db` must have the scope of the whole tenant.
 */
export async function listChanges(db: ScopedDb, request: ActivityRequest): Promise<ChangeRow[]> {
  const { rows } = await db.raw(
    (tenantId) => sql<ChangeRow>`
      with page as (
        select * from (${newestOfEach(tenantId, request)}) newest
        order by recorded_at desc, entity_type desc, sort_key desc, version desc, deleted desc
        limit ${request.limit}::int
      ), shown as (
        select h.*, ${ACTION} as action
        from page p join record_history h on h.tenant_id = ${tenantId}::uuid and h.entity_type = p.entity_type
          and h.sort_key = p.sort_key and h.version = p.version and h.deleted = p.deleted
        ${joinFacts(tenantId)}
      )
      select h.entity_type, h.sort_key as key, h.version, h.deleted, h.action, h.recorded_at as at, h.actor,
        ${titleOf('h')} as title, case when h.action in ('updated', 'restored') then ${changedFields(tenantId)} else '[]' end as changed_fields,
        to_char(h.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as time
      from shown h
      order by h.recorded_at desc, h.entity_type desc, h.sort_key desc, h.version desc, h.deleted desc`,
    { plan: 'custom' },
  );
  return rows;
}

/** SQL of the newest changes of each kind and unit that the request reads. */
function newestOfEach(
  tenantId: string,
  { visibility: { unrestricted, ofUnits, units }, conditions, after, limit }: ActivityRequest,
): RawBuilder<unknown> {
  const isOfKind = ({ name }: FilterCondition) => name === 'entity_type';
  const kindConditions = conditions.filter(isOfKind);
  const entryConditions = conditions.filter((condition) => !isOfKind(condition));
  const select = (kinds: readonly string[], { from, isOwned, order }: Owners) => sql`
    select entry.* from unnest(${kinds}::text[]) as kind (entity_type) ${from}
    cross join lateral (
      select h.entity_type, h.sort_key, h.version, h.deleted, h.recorded_at from record_history h
      ${joinFacts(tenantId)}
      where h.tenant_id = ${tenantId}::uuid and h.entity_type = kind.entity_type and ${isOwned} and ${IS_ACTIVITY}
        ${all(entryConditions)} ${after === null ? sql`` : sql`and ${isAfter(after)}`}
      order by ${order} h.recorded_at desc, h.sort_key desc, h.version desc, h.deleted desc
      limit ${limit}::int
    ) entry
    where true ${all(kindConditions)}`;
  const ofTenant = { from: sql``, isOwned: sql<SqlBool>`h.owner_bu_id is null`, order: sql`h.owner_bu_id,` };
  const ofAll = { from: sql``, isOwned: sql<SqlBool>`true`, order: sql`` };
  const ofUnit = {
    from: sql`cross join unnest(${units}::uuid[]) as owner (id)`,
    isOwned: sql<SqlBool>`h.owner_bu_id = owner.id`,
    order: sql``,
  };
  return sql`${select(ofUnits, ofUnit)} union all ${select(ofUnits, ofTenant)}
    union all ${select(unrestricted, ofAll)}`;
}

/** The owners whose changes are read. */
interface Owners {
  readonly from: RawBuilder<unknown>;
  readonly isOwned: RawBuilder<SqlBool>;
  /** Beginning of the order: with `is null`, the planner uses the index only if the column is in the order, too. */
  readonly order: RawBuilder<unknown>;
}

function all(conditions: readonly FilterCondition[]): RawBuilder<unknown> {
  return sql.join(
    conditions.map((condition) => sql`and ${conditionSql(condition, condition.operands)}`),
    sql` `,
  );
}

/**
 * SQL condition: true if the entry follows a position. Entries of the same time are ordered by kind first, so other
 * kinds continue at that time or before it.
 */
function isAfter({ time, kind, key, version, deleted }: Position): RawBuilder<SqlBool> {
  const isSame = sql`kind.entity_type = ${kind}::text`;
  return sql<SqlBool>`(h.recorded_at, h.sort_key, h.version, h.deleted) < (
    ${time}::timestamptz + case when kind.entity_type < ${kind}::text then interval '1 microsecond' else interval '0' end,
    case when ${isSame} then ${key}::text else '' end, case when ${isSame} then ${version}::int else 0 end,
    ${isSame} and ${deleted}::boolean)`;
}
