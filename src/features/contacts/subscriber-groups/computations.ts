/** State of the computation of audiences, and the queue of changed subscribers. */
import { expressionBuilder, sql } from 'kysely';
import Type, { type Static } from 'typebox';
import { v7 as uuidv7 } from 'uuid';
import type { EveryTenantDb } from '../../../db/every-tenant.ts';
import type { Gathered } from '../../../db/gathered-rows.ts';
import type { Tables } from '../../../db/tables.ts';
import { firstIdOf } from '../../../db/time-ordered-id.ts';
import type { JsonColumn } from '../../../resources/field-types.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { tenantRow } from '../../../tenancy/tenant-row.ts';
import type { QueueItem } from '../../../work-queue/work-queue.ts';

const Problems = Type.Array(
  Type.Object({ field: Type.String(), message: Type.String() }, { title: 'AudienceProblem' }),
  {
    description: 'Conditions that match no subscriber since a field was redefined.',
  },
);

/** Conditions that can no longer be met. */
export type Problems = Static<typeof Problems>;

/** Limits of the stored problems: their number, and the length of a field name. */
const MAX_PROBLEMS = 100;
const MAX_FIELD = 300;

/** State of the members of an audience with filters. */
export const Computation = Type.Object(
  {
    state: Type.Enum(['computing', 'current', 'failed'], {
      description: '`computing` until all subscribers were checked once.',
    }),
    problems: Problems,
  },
  { title: 'AudienceComputation', description: 'Progress of computing members; only with `filters`.' },
);

/** Data that filters read from other tables than `subscribers`. Changes of this data also change the audience. */
export interface Uses {
  readonly uses_engagement: boolean;
  /** True if filters read additional fields, whose definitions may change. */
  readonly uses_fields: boolean;
  /** True if filters read lists, or audiences without filters. */
  readonly uses_groups: boolean;
}

declare module '../../../db/tables.ts' {
  interface Tables {
    audience_changes: QueueItem & { subscriber_id: string };
    audience_computations: QueueItem &
      Uses & {
        requested_at: Time;
        position: string | null;
        finished_at: Time | null;
        swept_until: Time;
        problems: JsonColumn<Problems>;
      };
  }
}

/** Work queue of changed subscribers, and its table. */
export const AUDIENCE_CHANGES = { name: 'audience-changes', table: 'audience_changes' };
/** Work queue of computations, and its table. */
export const AUDIENCE_COMPUTATIONS = { name: 'audience-computations', table: 'audience_computations' };

/**
 * SQL that is true if the tenant has computed audiences. It may miss an audience that another transaction creates,
 * which is safe: that audience's computation waits for the subscribers that this transaction has locked, and processes
 * new subscribers last.
 */
export function hasComputedAudiences(tenantId: string) {
  return sql<boolean>`exists (
    select from marketing_audiences a where a.tenant_id = ${tenantId}::uuid and a.filters is not null)`;
}

/** Queues subscribers that this transaction changes, so that their computed audiences are updated. */
export async function queueChanges(tx: ScopedDb, subscriberIds: readonly string[]): Promise<void> {
  if (subscriberIds.length === 0) return;
  const rows = subscriberIds.map((subscriber_id) => ({ id: uuidv7(), subscriber_id }));
  await tx.raw(
    (tenantId) => sql`
    insert into audience_changes (tenant_id, id, target_id, state, due_at, attempts, subscriber_id)
    select tenant_row.tenant_id, each.id, tenant_row.tenant_id, 'pending', 'epoch', 0, each.subscriber_id
    from json_to_recordset(${JSON.stringify(rows)}::json) as each (id uuid, subscriber_id uuid)
    cross join ${tenantRow(tenantId)} where ${hasComputedAudiences(tenantId)}`,
  );
}

/** Requests a full computation of an audience. An audience without filters loses its computed members. */
export async function requestComputation(
  tx: ScopedDb,
  audienceId: string,
  uses: Uses,
  now: Date,
): Promise<void> {
  await tx.raw(
    (tenantId) => sql`
    insert into audience_computations (tenant_id, id, target_id, state, due_at, attempts, requested_at, uses_engagement,
      uses_fields, uses_groups, swept_until, problems)
    values (${tenantId}::uuid, ${uuidv7()}::uuid, ${audienceId}::uuid, 'pending', ${now}::timestamptz, 0,
      ${now}::timestamptz, ${uses.uses_engagement}, ${uses.uses_fields}, ${uses.uses_groups}, ${now}::timestamptz, '[]')
    on conflict (tenant_id, target_id) do update set id = excluded.id, state = 'pending', due_at = excluded.due_at, claim_id = null,
      attempts = 0, faults = 0, last_error = null, requested_at = excluded.requested_at, position = null,
      finished_at = null, uses_engagement = excluded.uses_engagement, uses_fields = excluded.uses_fields,
      uses_groups = excluded.uses_groups, swept_until = excluded.swept_until, problems = excluded.problems`,
  );
}

/** Recomputes audiences with filters on additional fields, as the fields' definitions have changed. */
export async function recomputeAfterFieldChange(tx: ScopedDb, now: Date): Promise<void> {
  await requestComputationsUsing(tx, 'fields', now);
}

/** Recomputes all audiences with filters on additional fields, or on groups. */
export async function requestComputationsUsing(
  tx: ScopedDb,
  dependency: 'fields' | 'groups',
  now: Date,
): Promise<void> {
  const stored = await tx.query
    .selectFrom('audience_computations')
    .select(['target_id', 'uses_engagement', 'uses_fields', 'uses_groups'])
    .where(`uses_${dependency}`, '=', true)
    .orderBy('target_id')
    .execute();
  for (const { target_id, ...uses } of stored) await requestComputation(tx, target_id, uses, now);
}

/**
 * Returns true if the members of groups reflect all changes of subscribers before `moment`: no computation and no
 * earlier change is pending.
 */
export async function areMembersCurrent(
  db: ScopedDb,
  groupIds: readonly string[],
  moment: Date,
): Promise<boolean> {
  const { rows } = await db.raw(
    (tenantId) => sql<{ computing: boolean; has_pending: boolean }>`
    select coalesce(bool_or(c.state <> 'failed' and c.finished_at is null), false) as computing,
      count(*) > 0 and exists (
        select from audience_changes a
        where a.tenant_id = ${tenantId}::uuid and a.state = 'pending' and a.id < ${firstIdOf(moment)}) as has_pending
    from audience_computations c where c.tenant_id = ${tenantId}::uuid and c.target_id = any(${groupIds}::uuid[])`,
  );
  return rows[0] === undefined || !(rows[0].computing || rows[0].has_pending);
}

/** Finds the audiences whose computation failed. */
export async function findFailedAudiences(
  db: ScopedDb,
  audienceIds: readonly string[],
): Promise<readonly string[]> {
  const rows = await db.query
    .selectFrom('audience_computations')
    .select('target_id')
    .where('target_id', '=', sql<string>`any(${audienceIds}::uuid[])`)
    .where('state', '=', 'failed')
    .execute();
  return rows.map(({ target_id }) => target_id);
}

/** Deletes the computation of a deleted audience. */
export async function dropComputation(tx: ScopedDb, audienceId: string): Promise<void> {
  await tx.query.deleteFrom('audience_computations').where('target_id', '=', audienceId).execute();
}

function shorten({ field, message }: Problems[number]): Problems[number] {
  return { field: field.slice(0, MAX_FIELD).toWellFormed(), message };
}

/** Stores the progress of a computation in the same transaction. Returns false if it was restarted or deleted. */
export async function saveProgress(
  tx: ScopedDb,
  computationId: string,
  position: string,
  problems: Problems,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.query
    .updateTable('audience_computations')
    .set({ position, problems: JSON.stringify(problems.slice(0, MAX_PROBLEMS).map(shorten)) })
    .where('id', '=', computationId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Marks a computation as finished. Later runs only process subscribers after `position`. */
export async function finishComputation(
  tx: ScopedDb,
  computationId: string,
  position: string,
  now: Date,
): Promise<void> {
  await tx.query
    .updateTable('audience_computations')
    .set({ position, finished_at: now })
    .where('id', '=', computationId)
    .execute();
}

/** A tenant with audiences that filter by opens and clicks. Opens and clicks after `since` are not processed yet. */
interface TenantToSweep {
  readonly tenant_id: string;
  readonly audiences: readonly string[];
  readonly since: string;
}

/** Lists all tenants with audiences that filter by opens and clicks. */
export function listTenantsToSweep(all: EveryTenantDb): Promise<Gathered<TenantToSweep>> {
  return all.gather(
    (inTenants) => sql<TenantToSweep>`
    select c.tenant_id, array_agg(c.target_id) as audiences, min(c.swept_until) as since from audience_computations c
    where c.uses_engagement and ${inTenants('c.tenant_id')} group by c.tenant_id`,
  );
}

/** Stores the time until which opens and clicks are processed for audiences. */
export async function saveSweptUntil(
  db: ScopedDb,
  audienceIds: readonly string[],
  until: Date,
): Promise<void> {
  await db.query
    .updateTable('audience_computations')
    .set({ swept_until: until })
    .where('target_id', '=', sql<string>`any(${audienceIds}::uuid[])`)
    .where('swept_until', '<', until.toISOString())
    .execute();
}

/** Query of the `computation` field of an audience, a row of `table`. */
export function computationOf(table: string) {
  return expressionBuilder<Tables, never>()
    .selectFrom('audience_computations as computed')
    .select(
      sql<Static<
        typeof Computation
      > | null>`case when ${sql.ref(`${table}.filters`)} is not null then json_build_object(
        'state', case when computed.state = 'failed' then 'failed'
          when computed.finished_at is null then 'computing' else 'current' end,
        'problems', computed.problems) end`.as('computation'),
    )
    .where('computed.target_id', '=', sql<string>`${sql.ref(`${table}.id`)}`);
}
