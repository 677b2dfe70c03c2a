/** Loads the work of claims: in one batch, or one by one if the batch fails. */

import { sql } from 'kysely';
import { isTenantUnavailable } from '../db/tenant-unavailable.ts';
import type { Platform } from '../platform.ts';
import type { Claim } from './claim.ts';
import type { WorkQueueDefinition } from './work-queue.ts';

/** The work of an attempt, or the error of loading it. */
export type Loaded<Work> = { readonly work: Work } | { readonly error: unknown };

type WorkLoader<Work, Result, Row> = Pick<WorkQueueDefinition<Work, Result, Row>, 'load' | 'release'>;

/**
 * Returns the work of claims by claim id. A row whose work cannot be loaded counts as a broken attempt and delays no
 * other row. `onError` receives the error of the batch, and may wait. If a node is unavailable, every row gets that
 * error. @throws if the database is unavailable; rows return when their leases end.
 */
export async function loadWork<Work, Result, Row>(
  platform: Platform,
  workQueue: WorkLoader<Work, Result, Row>,
  claims: readonly Claim<Row>[],
  onError: (error: unknown) => Promise<void>,
): Promise<ReadonlyMap<string, Loaded<Work>>> {
  try {
    return await loadBatch(platform, workQueue, claims);
  } catch (error) {
    await onError(error);
    // The node is just as unavailable for single rows.
    if (isTenantUnavailable(error)) return new Map(claims.map(({ id }) => [id, { error }]));
  }
  const oneByOne: (readonly [string, Loaded<Work>])[] = [];
  for (const claim of claims) {
    const loaded = await loadBatch(platform, workQueue, [claim]).catch(
      (error) => new Map([[claim.id, { error }]]),
    );
    oneByOne.push(...loaded);
  }
  if (oneByOne.every(([, loaded]) => 'work' in loaded)) return new Map(oneByOne);
  try {
    await requireTenants(platform, claims);
  } catch (error) {
    for (const [, loaded] of oneByOne) if ('work' in loaded) workQueue.release?.(loaded.work);
    throw error;
  }
  return new Map(oneByOne);
}

/** @throws if the rows of these tenants cannot be read at all. */
async function requireTenants({ database }: Platform, claims: readonly Claim[]): Promise<void> {
  await database.everyTenant('work-queues').byTenant(
    claims,
    ({ tenantId }) => tenantId,
    (db) => db.raw(sql`select from business_units where tenant_id = ${db.tenantId}`),
  );
}

async function loadBatch<Work, Result, Row>(
  platform: Platform,
  { load }: WorkLoader<Work, Result, Row>,
  claims: readonly Claim<Row>[],
): Promise<Map<string, Loaded<Work>>> {
  const loaded = await load(platform, claims);
  return new Map([...loaded].map(([id, work]) => [id, { work }]));
}
