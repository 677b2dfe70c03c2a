/** What is removed when: each feature declares it for its own tables, and one job does it, every hour. */
import { type RawBuilder, sql } from 'kysely';
import Type from 'typebox';
import type { IsAskedFor } from '../db/every-node.ts';
import type { EveryTenantDb } from '../db/every-tenant.ts';
import type { Platform } from '../platform.ts';
import { type DoomedRows, deleteRows } from './bounded-deletion.ts';
import { defineJob, type Job } from './jobs.ts';

const HOUR_MS = 60 * 60 * 1000;
/** Tenants whose rows one statement deletes. */
const TENANTS_AT_ONCE = 200;

/** How long rows of a table are kept. */
export interface RetentionDefinition {
  /** What an operator calls them; docs/operating.md lists them with their time. */
  readonly what: string;
  readonly keptHours: number;
  readonly table: string;
  /** The primary key after `tenant_id`; absent: `id`. */
  readonly key?: readonly string[];
  /** SQL over the columns of a row `r`: whether it is from before a moment and may go. */
  readonly isOld: (before: Date) => RawBuilder<unknown>;
  /** Whether the index behind it begins with the tenant, so that tenants are gone through one after the other. */
  readonly byTenant: boolean;
}

/** Old rows of one kind. */
export interface Retention extends Pick<RetentionDefinition, 'what' | 'keptHours'> {
  /** Removes those of all tenants, in bounded statements. */
  readonly removeOld: (platform: Pick<Platform, 'config' | 'clock' | 'database'>) => Promise<void>;
}

/** Declares for a feature's manifest what is removed when. */
export function defineRetention(definition: RetentionDefinition): Retention {
  const { what, keptHours, table, key = ['id'], isOld, byTenant } = definition;
  return {
    what,
    keptHours,
    removeOld: async ({ config, clock, database }) => {
      const all = database.everyTenant('retention');
      const rows = { table, key, where: isOld(new Date(clock().getTime() - keptHours * HOUR_MS)) };
      const remove = (db: EveryTenantDb, doomed: DoomedRows) =>
        deleteRows((statement) => db.raw(statement), doomed, config.jobBatchSize);
      if (!byTenant && !all.isSharded) return remove(all, rows);
      const { rows: tenants, failure } = await all.gather(byTenant ? eachTenant(rows) : tenantsOf(rows));
      for (let from = 0; from < tenants.length; from += TENANTS_AT_ONCE) {
        await all.byTenant(
          tenants.slice(from, from + TENANTS_AT_ONCE).map(({ tenant_id }) => tenant_id),
          (tenantId) => tenantId,
          (db, tenantIds) => remove(db, { ...rows, tenantIds }),
        );
      }
      if (failure !== undefined) throw failure;
    },
  };
}

/** The job that removes all that is older than it is kept. What cannot be removed does not keep the rest. */
export function retentionJob(retentions: readonly Retention[]): Job {
  return defineJob({
    name: 'jobs.remove-old-rows',
    payload: Type.Object({}),
    timeoutSeconds: 900,
    schedule: '17 * * * *',
    run: async (platform) => {
      const errors: unknown[] = [];
      for (const { removeOld } of retentions) {
        await removeOld(platform).catch((error: unknown) => errors.push(error));
      }
      if (errors.length > 0) throw new AggregateError(errors, 'Some old rows could not be removed.');
    },
  });
}

type FindTenants = (isAskedFor: IsAskedFor) => RawBuilder<{ tenant_id: string }>;

/** Tenants with such rows, found by an index that begins with the tenant. */
function eachTenant({ table, where }: DoomedRows): FindTenants {
  // From their Default units, which are on the same nodes as the rows.
  return (isAskedFor) => sql`
    select u.tenant_id from business_units u
    cross join lateral (
      select from ${sql.table(table)} r
      where r.tenant_id = u.tenant_id and ${isAskedFor('r.tenant_id')} and (${where}) limit 1) found
    where u.is_default and ${isAskedFor('u.tenant_id')}`;
}

/** Tenants with such rows, found by an index that does not begin with the tenant; that of the platform's jobs among them. */
function tenantsOf({ table, where }: DoomedRows): FindTenants {
  return (isAskedFor) =>
    sql`select distinct r.tenant_id from ${sql.table(table)} r where (${where}) and ${isAskedFor('r.tenant_id')}`;
}
