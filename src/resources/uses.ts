/** Uses of a record by other records, which prevent its deletion. */
import { AppError } from '../errors/app-error.ts';
import { IN_USE } from '../errors/platform-errors.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';

/** A record that uses another one. */
export interface Use {
  /** Its kind, such as `active journey`. */
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly owner_bu_id: string;
}

/** The first uses of a record, and the number of all. */
export interface Uses {
  readonly first: readonly Use[];
  readonly total: number;
}

/** Finds the uses of a record: the first `MAX_USES`, and the number of all. */
export type FindUses = (db: ScopedDb, id: string) => Promise<Uses>;

/** Maximum number of uses that a finder returns and a message lists. */
export const MAX_USES = 5;

/** A row of a statement that finds uses, with the total from `count(*) over ()`. */
export interface FoundUse extends Omit<Use, 'kind'> {
  readonly total: number;
}

/** Converts the rows of a statement that finds uses of one kind. */
export function usesIn(kind: string, rows: readonly FoundUse[]): Uses {
  return { first: rows.map((row) => ({ kind, ...row })), total: rows[0]?.total ?? 0 };
}

/**
 * Refuses to delete a record that is used; the message lists the first uses.
 * @throws AppError IN_USE if there are any.
 */
export async function refuseUsedBy(db: ScopedDb, finders: readonly FindUses[], id: string): Promise<void> {
  const found: Uses[] = [];
  for (const find of finders) found.push(await find(db, id));
  const first = found.flatMap((uses) => uses.first).slice(0, MAX_USES);
  const total = found.reduce((sum, uses) => sum + uses.total, 0);
  if (total > 0) throw new AppError(IN_USE, { message: `In use by: ${describeUses(db, { first, total })}.` });
}

/** Describes the first uses, and states the number of others. It omits names from units that the caller cannot see. */
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
