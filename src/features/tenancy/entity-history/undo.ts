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
    const { entityType } = restorer;
    const keys = changes.map(({ key }) => key);
    const deleted = await findDeletedKeys(ctx.db, entityType, keys);
    const membersOf = await findChangedMembers(ctx, restorer, changes);
    const skipped: { key: string; reason: SkipReason }[] = [];
    for (const change of changes) {
      // Undoing a change does not bring back what somebody has deleted since.
      if (deleted.has(change.key) && !isDeletion(change)) {
        skipped.push({ key: change.key, reason: 'unavailable' });
        continue;
      }
      try {
        await ctx.db.savepoint((db) => restore({ ...ctx, db }, restorer, change, membersOf(change)));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        skipped.push({ key: change.key, reason: reasonOf(error) });
      }
    }
    return { removed: 0, restored: changes.length - skipped.length, skipped };
  };
}

/** Restores the version before a change. `fields`: the members to restore; undefined for a deleted record. */
async function restore(
  part: PartContext,
  restorer: Restorer,
  { key, before, after }: RecordChange,
  fields: readonly string[] | undefined,
): Promise<void> {
  const { entityType } = restorer;
  if (before === null) throw new Error(`An operation has created the ${entityType} ${key}.`);
  const ctx = requestOfPart(part);
  const restoration = await prepareRestoration(ctx, new Map([[entityType, restorer]]), {
    ...{ entityType, entitySortKey: key, version: before, expected_version: after },
    ...(fields && { fields: [...fields] }),
  });
  await restoreRecord(ctx, restoration);
}

/** Reads which members the operation has changed; undefined for deleted records. */
async function findChangedMembers(
  { db }: PartContext,
  { entityType, update }: Restorer,
  changes: readonly RecordChange[],
): Promise<(change: RecordChange) => readonly string[] | undefined> {
  const changed = changes.filter((change) => !isDeletion(change));
  const versionsAt = (at: 'before' | 'after') =>
    findVersions(
      db,
      entityType,
      changed.map((change) => ({ key: change.key, version: change[at] ?? 0 })),
    );
  const [earlier, later] = [await versionsAt('before'), await versionsAt('after')];
  return (change) => {
    if (isDeletion(change)) return undefined;
    const [old, present] = [Object(earlier.get(change.key)), Object(later.get(change.key))];
    const names = new Set([...Object.keys(old), ...Object.keys(present)]);
    return [...names].filter((name) => update?.isWritten(name) && !isSameMember(old, present, name));
  };
}

function isDeletion({ before, after }: RecordChange): boolean {
  return before === after;
}

function reasonOf({ definition }: AppError): SkipReason {
  if (definition === VERSION_CONFLICT) return 'changed';
  return definition === NOT_FOUND || definition === FORBIDDEN ? 'unavailable' : 'invalid';
}
