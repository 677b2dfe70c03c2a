/** Reverting operations (docs/specification/operations.md#revert). */
import { AppError } from '../../errors/app-error.ts';
import { FORBIDDEN } from '../../errors/platform-errors.ts';
import type { MemberContext } from '../../http/context.ts';
import { countChanges, REVERTIBLE_DAYS } from '../../long-operations/changes.ts';
import type { OperationKind, Revert } from '../../long-operations/operation-kind.ts';
import { isUnfinished, type OperationRow } from '../../long-operations/operations.ts';
import { updateOperation } from '../../long-operations/queries.ts';
import { previewRevert } from '../../long-operations/revert.ts';
import { startOperation } from '../../long-operations/start-operation.ts';
import type { Caller } from '../../tenancy/caller.ts';
import { NOT_REVERTIBLE } from './errors.ts';
import type { RevertReply } from './schema.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** True if the caller may revert an operation now. */
export function canRevert(
  caller: Caller,
  kind: OperationKind | undefined,
  row: OperationRow,
  now: Date,
): boolean {
  const revert = kind?.revert;
  return revert !== undefined && faultOf(row, now) === null && revert.kind.mayRun(caller, row.unit_id);
}

/**
 * Starts the revert of an operation, whose row is locked, or counts what it would do.
 * @throws AppError NOT_REVERTIBLE, or FORBIDDEN if the caller lacks the role.
 */
export async function revertOperation(
  ctx: MemberContext,
  kind: OperationKind | undefined,
  row: OperationRow,
  isDryRun: boolean,
): Promise<RevertReply> {
  const { db } = ctx;
  const { definition, kind: reverting } = requireRevertible(ctx, kind, row);
  if (isDryRun) {
    const { removed, restored, skipped } = await previewRevert(db, definition, row.id);
    return { removed, restored, skipped: [...skipped] };
  }
  const { id } = await startOperation(ctx, reverting, {
    params: { operation_id: row.id },
    title: row.title,
    total: await countChanges(db, row.id),
    unitId: row.unit_id,
    reverts: row.id,
  });
  await updateOperation(db, row.id, { reverted_by: id });
  return { operation_id: id };
}

function requireRevertible(
  { caller, now }: MemberContext,
  kind: OperationKind | undefined,
  row: OperationRow,
): Revert {
  const fault = faultOf(row, now);
  if (kind?.revert === undefined || fault !== null)
    throw new AppError(NOT_REVERTIBLE, {
      message: fault ?? 'Operations of this kind cannot be reverted.',
    });
  if (!kind.revert.kind.mayRun(caller, row.unit_id)) throw new AppError(FORBIDDEN);
  return kind.revert;
}

/** Returns why an operation cannot be reverted; null if it can. */
function faultOf(row: OperationRow, now: Date): string | null {
  if (isUnfinished(row)) return 'The operation has not ended. Cancel it first.';
  if (row.reverted_by !== null) return 'The operation was reverted.';
  if (!row.has_changes) return 'The operation has changed nothing that can be reverted.';
  const ageMs = now.getTime() - Date.parse(row.created_at);
  return ageMs > REVERTIBLE_DAYS * DAY_MS
    ? `The operation was started more than ${REVERTIBLE_DAYS} days ago.`
    : null;
}
