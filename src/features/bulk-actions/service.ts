import { AppError } from '../../errors/app-error.ts';
import { COUNT_CHANGED, FORBIDDEN } from '../../errors/platform-errors.ts';
import { requireConfirmation } from '../../http/console-surface.ts';
import type { MemberContext } from '../../http/context.ts';
import { startOperation } from '../../long-operations/start-operation.ts';
import type { BulkAction, BulkRule } from '../../resources/bulk-rules.ts';
import { sortKeyOf } from '../../resources/keys.ts';
import { countRecords } from '../../resources/lists.ts';
import { readsShared, requireRole, requireTenantWriter } from '../../resources/ownership.ts';
import { isOwned } from '../../resources/resource.ts';
import { type KeySelection, nextKeys, toListSelection } from '../../resources/selected-keys.ts';
import { hasRoleInAnyUnit, roleCovers } from '../../tenancy/caller.ts';
import type { BulkOperation } from './bulk-operation.ts';
import type { RunnableRule } from './runnable-rules.ts';
import { actionMembers, type BulkBody, type BulkReply } from './schema.ts';
import { type Selection, selectionOf } from './selection.ts';

const SAMPLE_SIZE = 5;

/**
 * Counts the records of an action, or starts it.
 * @throws AppError INVALID_REQUEST, FORBIDDEN, COUNT_CHANGED, CONFIRMATION_REQUIRED, and the error of a missing parent.
 */
export async function runBulkAction(
  ctx: MemberContext,
  operation: BulkOperation,
  { rule, actions }: RunnableRule,
  parent: readonly string[],
  body: BulkBody,
): Promise<BulkReply> {
  const action = actions.get(body.action)?.action;
  if (!action) throw new Error(`${rule.id} has no action ${body.action}.`);
  requireTenantWriter({ kind: 'member', caller: ctx.caller }, rule.resource, action.role);
  const found = await rule.requireParent?.(ctx.db, parent);
  if (found) requireRole(ctx.caller, found.owner_bu_id, action.role);
  else if (!hasRoleInAnyUnit(ctx.caller, action.role)) throw new AppError(FORBIDDEN);
  const { filters = {}, search, ids, exclude_ids } = body;
  const stored: Selection = {
    ...{ parent: [...parent], filters: { ...filters }, created_until: ctx.now.toISOString() },
    ...(search !== undefined && { search }),
    ...(ids && { ids: [...ids] }),
    ...(exclude_ids && { exclude_ids: [...exclude_ids] }),
  };
  const selection = await selectionOf(ctx, rule, stored);
  const members = actionMembers(action.members, body);
  const count = await countSelected(ctx, rule, selection);
  if (body.dry_run === true) return preview(ctx, rule, action, members, { selection, count });
  if (action.needsConfirmation) requireConfirmation(ctx);
  requireCount(count, body.expected_count);
  const params = { action: action.name, members, selection: stored };
  const { id } = await startOperation(ctx, operation, { params, title: action.name, total: count });
  return { count, operation_id: id };
}

/** A selection with the number of its records. */
interface Counted {
  readonly selection: KeySelection;
  readonly count: number;
}

async function countSelected(
  { db, caller }: MemberContext,
  { resource }: BulkRule,
  selection: KeySelection,
): Promise<number> {
  if (!readsShared(caller)) return 0;
  return countRecords(db, resource, toListSelection(resource, selection));
}

async function preview(
  ctx: MemberContext,
  rule: BulkRule,
  action: BulkAction,
  members: Readonly<Record<string, unknown>>,
  { selection, count }: Counted,
): Promise<BulkReply> {
  const { resource, title } = rule;
  const allowed = limitToUnits(ctx, rule, action, selection);
  const allowedCount = allowed === selection ? count : await countSelected(ctx, rule, allowed);
  const filters = 'unchanged' in action ? (action.unchanged?.(members) ?? null) : null;
  const unchanged =
    filters === null
      ? 0
      : await countSelected(ctx, rule, { ...allowed, added: { ...allowed.added, ...filters } });
  const first = count === 0 ? [] : await nextKeys(ctx.db, resource, selection, firstOf(title));
  const skipped = [
    { reason: 'FORBIDDEN' as const, count: count - allowedCount },
    { reason: 'UNCHANGED' as const, count: unchanged },
  ];
  return {
    count,
    skipped: skipped.filter((each) => each.count > 0),
    sample: first.map((each) => ({ key: sortKeyOf(resource.key, each.key), title: each.title })),
  };
}

const firstOf = (title: string) => ({ after: null, limit: SAMPLE_SIZE, title });

/** Limits a selection to the units in which the caller may run the action. */
function limitToUnits(
  { caller }: MemberContext,
  { resource }: BulkRule,
  { role }: BulkAction,
  selection: KeySelection,
): KeySelection {
  if (!isOwned(resource) || caller.isTenantAdmin) return selection;
  const units = caller.units.filter((unit) => roleCovers(unit.role, role)).map(({ buId }) => buId);
  return { ...selection, added: { owner_bu_id: { in: units } } };
}

function requireCount(count: number, expected: number | undefined): void {
  if (count === expected) return;
  throw new AppError(COUNT_CHANGED, {
    issues: [{ field: 'expected_count', message: `must be ${count}: the number of selected records`, count }],
  });
}
