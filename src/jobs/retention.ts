/** What is removed when: each feature declares it for its own tables, and one job does it, every hour. */
import type { RawBuilder } from 'kysely';
import Type from 'typebox';
import { NIL } from 'uuid';
import type { EveryTenantDb } from '../db/every-tenant.ts';
import type { Platform } from '../platform.ts';
import { deleteRows } from './bounded-deletion.ts';
import { defineJob, type Job } from './jobs.ts';

const HOUR_MS = 60 * 60 * 1000;
/** Tenants whose rows one statement looks for. */
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
      const run = (statement: RawBuilder<unknown>) => all.raw(statement);
      const rows = { table, key, where: isOld(new Date(clock().getTime() - keptHours * HOUR_MS)) };
      if (!byTenant) return deleteRows(run, rows, config.jobBatchSize);
      for await (const tenantIds of pagesOfTenants(all)) {
        await deleteRows(run, { ...rows, tenantIds }, config.jobBatchSize);
      }
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

/** The ids of all tenants. */
async function* pagesOfTenants(all: EveryTenantDb): AsyncGenerator<string[]> {
  for (let last: string | undefined = NIL; last !== undefined; ) {
    const tenants: { tenant_id: string }[] = await all.query
      .selectFrom('tenants')
      .select('tenant_id')
      .where('tenant_id', '>', last)
      .orderBy('tenant_id')
      .limit(TENANTS_AT_ONCE)
      .execute();
    last = tenants.at(-1)?.tenant_id;
    if (last !== undefined) yield tenants.map(({ tenant_id }) => tenant_id);
  }
}
