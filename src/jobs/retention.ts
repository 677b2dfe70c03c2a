/** Retention of old rows: features declare it for their tables, and one hourly job deletes them. */
import { type RawBuilder, sql } from 'kysely';
import Type from 'typebox';
import type { EveryTenantDb } from '../db/every-tenant.ts';
import type { TenantCondition } from '../db/gathered-rows.ts';
import type { Platform } from '../platform.ts';
import { type DeletedRows, deleteRows } from './bounded-deletion.ts';
import { defineJob, type Job } from './jobs.ts';

const HOUR_MS = 60 * 60 * 1000;
/** Tenants per deletion statement. */
const TENANTS_AT_ONCE = 200;

/** Retention of one kind of rows. */
export interface RetentionDefinition {
  /** Name of the rows for operators; docs/operating.md lists it with its retention. */
  readonly description: string;
  readonly keptHours: number;
  readonly table: string;
  /** The primary key after `tenant_id`; absent: `id`. */
  readonly key?: readonly string[];
  /** SQL over the columns of a row `r`: true if the row is older than `before` and may be deleted. */
  readonly isOld: (before: Date) => RawBuilder<unknown>;
  /** A table whose rows are deleted with those that they name in `column`. */
  readonly dependents?: DeletedRows['dependents'];
  /** True if the index of `isOld` begins with the tenant, so that tenants are processed one by one. */
  readonly byTenant: boolean;
}

/** A declared retention. */
export interface Retention extends Pick<RetentionDefinition, 'description' | 'keptHours'> {
  /** Deletes old rows of all tenants, in bounded statements. */
  readonly removeOld: (platform: Pick<Platform, 'config' | 'clock' | 'database'>) => Promise<void>;
}

/** Declares a retention for a feature's manifest. */
export function defineRetention(definition: RetentionDefinition): Retention {
  const { description, keptHours, table, key = ['id'], isOld, byTenant, dependents } = definition;
  return {
    description,
    keptHours,
    removeOld: async ({ config, clock, database }) => {
      const all = database.everyTenant('retention');
      const where = isOld(new Date(clock().getTime() - keptHours * HOUR_MS));
      const rows = { table, key, where, ...(dependents === undefined ? {} : { dependents }) };
      const remove = (db: EveryTenantDb, oldRows: DeletedRows) =>
        deleteRows((statement) => db.raw(statement), oldRows, config.jobBatchSize);
      if (!byTenant && !all.isSharded) return remove(all, rows);
      const { rows: tenants, failure } = await all.gather(
        byTenant ? findTenantByTenant(rows) : findTenantsByAge(rows),
      );
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

/** Returns the job that deletes all old rows. A failing retention does not stop the others. */
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

type FindTenants = (inTenants: TenantCondition) => RawBuilder<{ tenant_id: string }>;

/** Finds tenants with old rows by an index that begins with the tenant. */
function findTenantByTenant({ table, where }: DeletedRows): FindTenants {
  // Start from default units, which are on the same nodes as the rows.
  return (inTenants) => sql`
    select u.tenant_id from business_units u
    cross join lateral (
      select from ${sql.table(table)} r
      where r.tenant_id = u.tenant_id and ${inTenants('r.tenant_id')} and (${where}) limit 1) found
    where u.is_default and ${inTenants('u.tenant_id')}`;
}

/** Finds tenants with old rows by an index that does not begin with the tenant; includes the platform's own jobs. */
function findTenantsByAge({ table, where }: DeletedRows): FindTenants {
  return (inTenants) =>
    sql`select distinct r.tenant_id from ${sql.table(table)} r where (${where}) and ${inTenants('r.tenant_id')}`;
}
