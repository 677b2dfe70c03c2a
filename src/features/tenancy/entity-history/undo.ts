/** Undoes changes and deletions of operations, by restoring the version before each. */
import { AppError } from '../../../errors/app-error.ts';
import { FORBIDDEN, NOT_FOUND, VERSION_CONFLICT } from '../../../errors/platform-errors.ts';
import { isSameMember } from '../../../http/updates.ts';
import type { RecordChange } from '../../../long-operations/changes.ts';
import type { PartContext, SkipReason, Undo } from '../../../long-operations/operation-kind.ts';
import { requestOfPart } from '../../../long-operations/part-request.ts';
import { findDeletedKeys, findVersions } from '../../../resources/history.ts';
import { prepareRestoration, restoreRecord } from './restore.ts';
import type { Restorer } from './restorers.ts';

/**
 * Returns a function that restores what an operation has changed or deleted, unless somebody has changed it since. Of a
 * changed record, it restores the members that the operation has changed.
 */
export function undoByRestoring(restorer: Restorer): Undo {
  return async (changes, ctx) => {
    const keys = changes.map(({ key }) => key);
    const deleted = await findDeletedKeys(ctx.db, restorer.entityType, keys);
    // Undoing a change does not bring back what somebody has deleted since.
    const isGone = (change: RecordChange) => deleted.has(change.key) && !isDeletion(change);
    const skipped: { key: string; reason: SkipReason }[] = [];
    for (const change of changes) {
      const reason = isGone(change) ? 'unavailable' : await tryRestore(ctx, restorer, change);
      if (reason !== null) skipped.push({ key: change.key, reason });
    }
    return { removed: 0, restored: changes.length - skipped.length, skipped };
  };
}

/** Restores the version before a change; returns why the record stays as it is, or null. */
async function tryRestore(
  ctx: PartContext,
  restorer: Restorer,
  change: RecordChange,
): Promise<SkipReason | null> {
  try {
    await ctx.db.savepoint((db) => restore({ ...ctx, db }, restorer, change));
    return null;
  } catch (error) {
    if (error instanceof AppError) return reasonOf(error);
    throw error;
  }
}

async function restore(part: PartContext, restorer: Restorer, change: RecordChange): Promise<void> {
  const { entityType } = restorer;
  const { key, before, after } = change;
  if (before === null) throw new Error(`An operation has created the ${entityType} ${key}.`);
  const ctx = requestOfPart(part);
  const restoration = await prepareRestoration(ctx, new Map([[entityType, restorer]]), {
    ...{ entityType, entitySortKey: key, version: before, expected_version: after },
    ...(isDeletion(change)
      ? {}
      : { fields: await findChangedMembers(part, restorer, { key, before, after }) }),
  });
  await restoreRecord(ctx, restoration);
}

/** Returns the members that callers write and in which two versions of a record differ. */
async function findChangedMembers(
  { db }: PartContext,
  { entityType, update }: Restorer,
  { key, before, after }: { readonly key: string; readonly before: number; readonly after: number },
): Promise<string[]> {
  const read = async (version: number) =>
    Object((await findVersions(db, entityType, [{ key, version }])).get(key));
  const [old, present] = [await read(before), await read(after)];
  const names = new Set([...Object.keys(old), ...Object.keys(present)]);
  return [...names].filter((name) => update?.isWritten(name) && !isSameMember(old, present, name));
}

function isDeletion({ before, after }: RecordChange): boolean {
  return before === after;
}

function reasonOf({ definition }: AppError): SkipReason {
  if (definition === VERSION_CONFLICT) return 'changed';
  return definition === NOT_FOUND || definition === FORBIDDEN ? 'unavailable' : 'invalid';
}
