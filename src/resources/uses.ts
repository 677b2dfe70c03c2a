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

/** Finds what uses a record; a few are enough. */
export type FindUses = (db: ScopedDb, id: string) => Promise<readonly Use[]>;

/** Uses that a finder returns and a message names. */
export const MAX_USES = 5;

/** Names the uses, those of units that the caller does not see without their names. @throws AppError IN_USE if there are some. */
export function refuseUsed(db: ScopedDb, uses: readonly Use[]): void {
  if (uses.length === 0) return;
  const { read } = db.scope;
  const names = uses.slice(0, MAX_USES).map(({ kind, id, name, owner_bu_id }) => {
    const isSeen = read === 'all' || read.includes(owner_bu_id);
    return isSeen ? `${kind} ${JSON.stringify(name)} (${id})` : `${kind} of another business unit`;
  });
  throw new AppError(IN_USE, { message: `In use by: ${[...new Set(names)].join(', ')}.` });
}
