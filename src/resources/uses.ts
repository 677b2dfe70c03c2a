/** What keeps a record from being deleted, named for people. */
import { AppError } from '../errors/app-error.ts';
import { IN_USE } from '../errors/platform-errors.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';

/** Something that uses a record. */
export interface Use {
  /** What it is, such as `active journey`. */
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly owner_bu_id: string;
}

/** The first users of a record, and how many there are. */
export interface Uses {
  readonly first: readonly Use[];
  readonly total: number;
}

/** Finds what uses a record: the first `MAX_USES`, and how many there are. */
export type FindUses = (db: ScopedDb, id: string) => Promise<Uses>;

/** Users that a finder returns and a message names. */
export const MAX_USES = 5;

/** A row of a statement that finds users: each has the total, from `count(*) over ()`. */
export interface FoundUse extends Omit<Use, 'kind'> {
  readonly total: number;
}

/** Makes uses of such rows, all of one kind. */
export function usesIn(kind: string, rows: readonly FoundUse[]): Uses {
  return { first: rows.map((row) => ({ kind, ...row })), total: rows[0]?.total ?? 0 };
}

/**
 * Names what uses a record, as `refuseUsed`, whichever finder knows it.
 * @throws AppError IN_USE if something does.
 */
export async function refuseUsedBy(db: ScopedDb, finders: readonly FindUses[], id: string): Promise<void> {
  const found: Uses[] = [];
  for (const find of finders) found.push(await find(db, id));
  const first = found.flatMap((uses) => uses.first).slice(0, MAX_USES);
  const total = found.reduce((sum, uses) => sum + uses.total, 0);
  if (total > 0) throw new AppError(IN_USE, { message: `In use by: ${describeUses(db, { first, total })}.` });
}

/** Describes users and how many more there are; those of units that the caller does not see without their names. */
export function describeUses({ scope: { read } }: ScopedDb, { first, total }: Uses): string {
  const names = first.map(({ kind, id, name, owner_bu_id }) => {
    const isSeen = read === 'all' || read.includes(owner_bu_id);
    return isSeen ? `${kind} ${JSON.stringify(name)} (${id})` : `${kind} of another business unit`;
  });
  return listFirst(names, total);
}

/** The names of the first of some things, and how many more there are: `a, b and 3 more`. */
export function listFirst(names: readonly string[], total: number): string {
  const more = total - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}
