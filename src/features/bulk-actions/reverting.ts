/** Reverts of bulk actions. */
import type { RecordChange } from '../../long-operations/changes.ts';
import type { RevertDefinition } from '../../long-operations/operation-kind.ts';
import type { BulkAction, BulkRule } from '../../resources/bulk-rules.ts';
import { lastVersionsOf } from '../../resources/history.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { type Restorer, undoByRestoring } from '../tenancy/api.ts';
import { onlyWrites } from './runnable-rules.ts';

/** How the actions of a rule are reverted. */
export interface BulkRevert {
  readonly definition: RevertDefinition;
  /** True for actions that are undone. */
  readonly covers: (action: BulkAction) => boolean;
}

/** Returns how the actions of a rule are reverted; undefined if none of them is. */
export function bulkRevertOf(
  { resource: { entityType }, undo }: BulkRule,
  restorers: readonly Restorer[],
): BulkRevert | undefined {
  const restorer = restorers.find((each) => each.entityType === entityType);
  const undoing = undo ?? (restorer && undoByRestoring(restorer));
  if (!undoing || entityType === undefined) return undefined;
  const restoresDeleted = undo === undefined && restorer !== undefined && onlyWrites(restorer.create.route);
  return {
    definition: { entityType, role: 'editor', undo: undoing },
    covers: (action) => {
      if ('deletedBy' in action) return restoresDeleted;
      return 'updatedBy' in action && action.isFinal !== true;
    },
  };
}

/** Returns what an action has changed or deleted in the open transaction. `keys` are the keys of history. */
export async function changesOf(
  db: ScopedDb,
  { definition: { entityType } }: BulkRevert,
  action: BulkAction,
  keys: readonly string[],
): Promise<RecordChange[]> {
  if (keys.length === 0) return [];
  const isDeletion = 'deletedBy' in action;
  const versions = await lastVersionsOf(db, entityType, keys);
  return [...versions].map(([key, after]) => ({ key, before: isDeletion ? after : after - 1, after }));
}
