/** Users of a record that prevent its deletion, described for people. */
import { AppError } from '../errors/app-error.ts';
import { IN_USE } from '../errors/platform-errors.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';

/** Something that uses a record. */
export interface Use {
  /** Its kind, such as `active journey`. */
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly owner_bu_id: string;
}

/** The first users of a record, and their number. */
export interface Uses {
  readonly first: readonly Use[];
  readonly total: number;
}

/** Finds the users of a record: the first `MAX_USES`, and their number. */
export type FindUses = (db: ScopedDb, id: string) => Promise<Uses>;

/** The number of users that a finder returns and a message names. */
export const MAX_USES = 5;

/** A row of a statement that finds users, with the total from `count(*) over ()`. */
export interface FoundUse extends Omit<Use, 'kind'> {
  readonly total: number;
}

/** Converts such rows, all of one kind. */
export function usesIn(kind: string, rows: readonly FoundUse[]): Uses {
  return { first: rows.map((row) => ({ kind, ...row })), total: rows[0]?.total ?? 0 };
}

/**
 * Refuses to delete a record that a finder reports as used, naming the users.
 * @throws AppError IN_USE if there are any.
 */
export async function refuseUsedBy(db: ScopedDb, finders: readonly FindUses[], id: string): Promise<void> {
  const found: Uses[] = [];
  for (const find of finders) found.push(await find(db, id));
  const first = found.flatMap((uses) => uses.first).slice(0, MAX_USES);
  const total = found.reduce((sum, uses) => sum + uses.total, 0);
  if (total > 0) throw new AppError(IN_USE, { message: `In use by: ${describeUses(db, { first, total })}.` });
}

/** Describes users and the number of further ones; users in units that the caller does not see have no names. */
export function describeUses({ scope: { read } }: ScopedDb, { first, total }: Uses): string {
  const names = first.map(({ kind, id, name, owner_bu_id }) => {
    const isSeen = read === 'all' || read.includes(owner_bu_id);
    return isSeen ? `${kind} ${JSON.stringify(name)} (${id})` : `${kind} of another business unit`;
  });
  return listFirst(names, total);
}

/** Lists the first names and the number of further ones: `a, b and 3 more`. */
export function listFirst(names: readonly string[], total: number): string {
  const more = total - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}
