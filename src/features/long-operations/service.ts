import { createHash } from 'node:crypto';
import { AppError } from '../../errors/app-error.ts';
import { NOT_FOUND } from '../../errors/platform-errors.ts';
import { TaggedResponse } from '../../http/conditional-reads.ts';
import type { MemberContext } from '../../http/context.ts';
import type { OperationKind } from '../../long-operations/operation-kind.ts';
import { isUnfinished, type OperationRow, operations } from '../../long-operations/operations.ts';
import {
  findOperation,
  findOperations,
  listUnfinished,
  lockOperation,
} from '../../long-operations/queries.ts';
import { limitConditions } from '../../resources/filters.ts';
import { isUuid } from '../../resources/keys.ts';
import { answerSortedPage } from '../../resources/large-lists.ts';
import { readListBody } from '../../resources/list-queries.ts';
import type { Caller } from '../../tenancy/caller.ts';
import { namesOfMembers } from '../tenancy/api.ts';
import { canRevert, revertOperation } from './reverting.ts';
import { MAX_RUNNING, type OperationListQuery, OperationMore } from './schema.ts';

/** Kinds of operations by name. */
export type OperationKinds = ReadonlyMap<string, OperationKind>;

/** Lists operations that the caller sees. @throws AppError INVALID_REQUEST for an unknown filter or order. */
export async function listOperations(ctx: MemberContext, kinds: OperationKinds, body: OperationListQuery) {
  const { caller, db } = ctx;
  limitConditions(body.filters ?? {});
  const added = caller.isTenantAdmin ? {} : { started_by: { operation: 'eq', value: caller.membershipId } };
  return answerSortedPage(
    db,
    operations,
    { ...readListBody(body), added },
    {
      names: Object.keys(OperationMore.properties),
      async of(ids) {
        if (ids.length === 0) return [];
        const rows = await findOperations(db, ids);
        const more = new Map((await moreOf(ctx, kinds, rows)).map((each, index) => [rows[index]?.id, each]));
        return ids.map((id) => more.get(id) ?? {});
      },
    },
  );
}

/** Returns an operation. @throws AppError NOT_FOUND, also for one that the caller does not see. */
export async function getOperation(ctx: MemberContext, kinds: OperationKinds, id: string) {
  return viewOf(ctx, kinds, requireVisible(ctx.caller, isUuid(id) ? await findOperation(ctx.db, id) : null));
}

/** Returns the operations that have not ended and that the caller sees. */
export async function getRunning(ctx: MemberContext, kinds: OperationKinds) {
  const { caller, db } = ctx;
  const rows = await listUnfinished(db, caller.isTenantAdmin ? null : caller.membershipId, MAX_RUNNING);
  const more = await moreOf(ctx, kinds, rows);
  const results = rows.map((row, index) => ({ ...operations.listView(row), ...more[index] }));
  const digest = createHash('sha256').update(JSON.stringify(results)).digest('base64url');
  return new TaggedResponse(digest, { results });
}

/**
 * Cancels an operation: its current part ends first, and no other follows. One that has ended stays as it is.
 * @throws AppError NOT_FOUND.
 */
export async function cancelOperation(ctx: MemberContext, kinds: OperationKinds, id: string) {
  const { caller, db, platform } = ctx;
  const row = requireVisible(caller, isUuid(id) ? await lockOperation(db, id) : null);
  if (isUnfinished(row)) await kinds.get(row.kind)?.cancel(row, db, platform);
  return getOperation(ctx, kinds, id);
}

/**
 * Starts the revert of an operation, or counts what it would do. @throws AppError NOT_FOUND, NOT_REVERTIBLE, FORBIDDEN.
 */
export async function revertById(ctx: MemberContext, kinds: OperationKinds, id: string, isDryRun: boolean) {
  const row = requireVisible(ctx.caller, isUuid(id) ? await lockOperation(ctx.db, id) : null);
  return revertOperation(ctx, kinds.get(row.kind), row, isDryRun);
}

async function viewOf(ctx: MemberContext, kinds: OperationKinds, row: OperationRow) {
  const [more] = await moreOf(ctx, kinds, [row]);
  return { ...operations.view(row), ...more };
}

/** Returns the members of operations that are not in their rows, in the order of the rows. */
async function moreOf(
  { db, caller, now }: MemberContext,
  kinds: OperationKinds,
  rows: readonly OperationRow[],
): Promise<OperationMore[]> {
  const names = await namesOfMembers(
    db,
    rows.map(({ membership_id }) => membership_id),
  );
  return rows.map((row) => ({
    started_by: { membership_id: row.membership_id, name: names.get(row.membership_id) ?? null },
    can_cancel: isUnfinished(row),
    can_revert: canRevert(caller, kinds.get(row.kind), row, now),
  }));
}

function requireVisible({ isTenantAdmin, membershipId }: Caller, row: OperationRow | null): OperationRow {
  if (row === null || !(isTenantAdmin || row.membership_id === membershipId)) throw new AppError(NOT_FOUND);
  return row;
}
