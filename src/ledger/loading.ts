/** Reads what attempts work with: together, and one by one where that breaks. */
import { sql } from 'kysely';
import { isNodeAway } from '../db/node-away.ts';
import type { Platform } from '../platform.ts';
import type { Claim, LedgerDefinition } from './ledger.ts';

/** What an attempt works with, or why it cannot be had. */
export type Loaded<Work> = { readonly work: Work } | { readonly error: unknown };

type Loading<Work, Note, Row> = Pick<LedgerDefinition<Work, Note, Row>, 'load' | 'release'>;

/**
 * What the attempts need, by claim id. A row for which it cannot be read must not hold the others: its attempt has broken.
 * `onBreak` is told why they could not be read together, and waits a moment.
 * Of rows whose tenant's node is away each is told so. @throws when the database is away: leases bring the rows back.
 */
export async function loadWork<Work, Note, Row>(
  platform: Platform,
  ledger: Loading<Work, Note, Row>,
  claims: readonly Claim<Row>[],
  onBreak: (error: unknown) => Promise<void>,
): Promise<ReadonlyMap<string, Loaded<Work>>> {
  try {
    return await loadTogether(platform, ledger, claims);
  } catch (error) {
    await onBreak(error);
    // One by one they would not be reached either.
    if (isNodeAway(error)) return new Map(claims.map(({ id }) => [id, { error }]));
  }
  const apart: (readonly [string, Loaded<Work>])[] = [];
  for (const claim of claims) {
    const loaded = await loadTogether(platform, ledger, [claim]).catch(
      (error) => new Map([[claim.id, { error }]]),
    );
    apart.push(...loaded);
  }
  if (apart.every(([, loaded]) => 'work' in loaded)) return new Map(apart);
  try {
    await requireTenants(platform, claims);
  } catch (error) {
    for (const [, loaded] of apart) if ('work' in loaded) ledger.release?.(loaded.work);
    throw error;
  }
  return new Map(apart);
}

/** @throws when the rows of these tenants cannot be read at all. */
async function requireTenants({ database }: Platform, claims: readonly Claim[]): Promise<void> {
  await database.everyTenant('ledgers').byTenant(
    claims,
    ({ tenantId }) => tenantId,
    (db) => db.raw(sql`select from business_units where tenant_id = ${db.tenantId}`),
  );
}

async function loadTogether<Work, Note, Row>(
  platform: Platform,
  { load }: Loading<Work, Note, Row>,
  claims: readonly Claim<Row>[],
): Promise<Map<string, Loaded<Work>>> {
  const loaded = await load(platform, claims);
  return new Map([...loaded].map(([id, work]) => [id, { work }]));
}
