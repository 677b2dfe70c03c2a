/** Reads what attempts work with: together, and one by one where that breaks. */
import { sql } from 'kysely';
import type { Platform } from '../platform.ts';
import type { Claim, LedgerDefinition } from './ledger.ts';

/** What an attempt works with, or why it cannot be had. */
export type Loaded<Work> = { readonly work: Work } | { readonly error: unknown };

type Loading<Work, Note, Row> = Pick<LedgerDefinition<Work, Note, Row>, 'load'>;

/**
 * What the attempts need, by claim id. A row for which it cannot be read must not hold the others: its attempt has broken.
 * `onBreak` is told why they could not be read together, and waits a moment.
 * @throws when the database is away: nothing is known of any row then, and their leases bring them back.
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
  }
  const apart: (readonly [string, Loaded<Work>])[] = [];
  for (const claim of claims) {
    const loaded = await loadTogether(platform, ledger, [claim]).catch(
      (error) => new Map([[claim.id, { error }]]),
    );
    apart.push(...loaded);
  }
  if (apart.some(([, loaded]) => 'error' in loaded))
    await platform.database.everyTenant('ledgers').raw(sql`select`);
  return new Map(apart);
}

async function loadTogether<Work, Note, Row>(
  platform: Platform,
  { load }: Loading<Work, Note, Row>,
  claims: readonly Claim<Row>[],
): Promise<Map<string, Loaded<Work>>> {
  const loaded = await load(platform, claims);
  return new Map([...loaded].map(([id, work]) => [id, { work }]));
}
