/** Reverting operations: an operation of its own, which goes through the stored changes. */
import { type RawBuilder, sql } from 'kysely';
import Type, { type Static } from 'typebox';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import { listChanges } from './changes.ts';
import {
  type PartContext,
  type PartResult,
  type RevertDefinition,
  RevertParams,
  type RunningOperation,
  type SkipReason,
} from './operation-kind.ts';
import { updateOperation } from './queries.ts';

/** Maximum changes of a part. Erasing a record takes many statements, and other work waits for a part. */
const MAX_UNDONE = 20;

/** Messages about records that a revert leaves as they are. */
const MESSAGES: Readonly<Record<SkipReason, string>> = {
  changed: 'has changed since',
  unavailable: 'no longer exists, or is out of reach',
  invalid: 'would no longer be valid with its earlier values',
};

/** Expected result of a revert. */
export interface RevertPreview {
  readonly removed: number;
  readonly restored: number;
  readonly skipped: readonly { readonly reason: SkipReason; readonly count: number }[];
}

type Params = Static<typeof RevertParams>;
const State = Type.Object({ after: Type.String() });
type State = Static<typeof State>;

/** Returns the kind of the operations that revert another kind. */
export function revertingKind(kind: string, { role, undo }: RevertDefinition) {
  return {
    kind: `${kind}_revert`,
    params: RevertParams,
    state: State,
    initialState: { after: '' },
    role,
    part: (operation: RunningOperation<Params, State>, ctx: PartContext) => undoNext(operation, ctx, undo),
    // The rest can be reverted later.
    async stopped({ params }: RunningOperation<Params, State>, tx: ScopedDb) {
      await updateOperation(tx, params.operation_id, { reverted_by: null });
      return [];
    },
  };
}

async function undoNext(
  { params, state }: RunningOperation<Params, State>,
  ctx: PartContext,
  undo: RevertDefinition['undo'],
): Promise<PartResult<State>> {
  const limit = Math.min(ctx.platform.config.jobBatchSize, MAX_UNDONE);
  const changes = await listChanges(ctx.db, params.operation_id, state.after, limit);
  const { removed, restored, skipped } = await undo(changes, ctx);
  return {
    state: { after: changes.at(-1)?.key ?? state.after },
    isLast: changes.length < limit,
    done: changes.length,
    counts: { removed, restored, skipped: skipped.length },
    problems: skipped.map(({ key, reason }) => ({ key, message: MESSAGES[reason] })),
  };
}

/** Counts what a revert of an operation would do now. `db` has the scope of its caller. */
export async function previewRevert(
  db: ScopedDb,
  definition: RevertDefinition,
  operationId: string,
): Promise<RevertPreview> {
  const { rows } = await db.raw(
    (tenantId) => sql<Record<'removed' | 'restored' | 'changed' | 'unavailable', number>>`
      select count(*) filter (where is_unchanged and before is null)::int as removed,
        count(*) filter (where is_unchanged and before is not null)::int as restored,
        count(*) filter (where not is_unchanged and not deleted)::int as changed,
        count(*) filter (where version is null or (not is_unchanged and deleted))::int as unavailable
      from (
        select c.before, last.version, last.deleted,
          last.version = c.after and last.deleted = coalesce(c.before = c.after, false) as is_unchanged
        from operation_changes c
        left join lateral (
          select h.version, h.deleted, h.owner_bu_id from record_history h
          where h.tenant_id = ${tenantId}::uuid and h.entity_type = ${definition.entityType}
            and h.sort_key = c.record_key
          order by h.version desc, h.deleted desc limit 1
        ) last on ${isReachable(db, definition)}
        where c.tenant_id = ${tenantId}::uuid and c.operation_id = ${operationId}::uuid
      ) changes`,
    { plan: 'custom' },
  );
  const { removed = 0, restored = 0, changed = 0, unavailable = 0 } = rows[0] ?? {};
  const skipped = [
    { reason: 'changed' as const, count: changed },
    { reason: 'unavailable' as const, count: unavailable },
  ];
  return { removed, restored, skipped: skipped.filter(({ count }) => count > 0) };
}

/** Returns a condition on the unit of a record with the newest entry `last`: the caller has the role there. */
function isReachable({ scope }: ScopedDb, { role }: RevertDefinition): RawBuilder<unknown> {
  const units = role === 'admin' ? scope.remove : scope.write;
  return units === 'all' ? sql`true` : sql`last.owner_bu_id = any(${[...units]}::uuid[])`;
}
