/** Reverting operations: an operation of its own, which goes through the stored changes. */
import { type RawBuilder, sql } from 'kysely';
import Type, { type Static } from 'typebox';
import { COLUMN_KINDS } from '../resources/fields.ts';
import type { Resource } from '../resources/resource.ts';
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

/** Maximum changes of a part. Deleting a record may take many statements. */
const MAX_UNDONE = 100;

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
  { resource }: RevertDefinition,
  operationId: string,
): Promise<RevertPreview> {
  const key = resource.key.columns.at(-1) ?? '';
  const type = sql.raw(COLUMN_KINDS[resource.kinds.get(key) ?? 'text'].type);
  const { rows } = await db.raw(
    (tenantId) => sql<Record<'removed' | 'restored' | 'changed' | 'unavailable', number>>`
      select count(*) filter (where r.version = c.after and c.before is null)::int as removed,
        count(*) filter (where r.version = c.after and c.before is not null)::int as restored,
        count(*) filter (where r.version <> c.after)::int as changed,
        count(*) filter (where r.version is null)::int as unavailable
      from operation_changes c
      left join ${sql.table(resource.table)} r on r.tenant_id = ${tenantId}::uuid
        and r.${sql.ref(key)} = c.record_key::${type} ${isReachable(db, resource)}
      where c.tenant_id = ${tenantId}::uuid and c.operation_id = ${operationId}::uuid`,
    { plan: 'custom' },
  );
  const { removed = 0, restored = 0, changed = 0, unavailable = 0 } = rows[0] ?? {};
  const skipped = [
    { reason: 'changed' as const, count: changed },
    { reason: 'unavailable' as const, count: unavailable },
  ];
  return { removed, restored, skipped: skipped.filter(({ count }) => count > 0) };
}

/** Returns a condition on the unit of a record `r`: the caller may delete it. */
function isReachable({ scope: { remove } }: ScopedDb, { kinds }: Resource): RawBuilder<unknown> {
  return remove === 'all' || !kinds.has('owner_bu_id')
    ? sql``
    : sql`and r.owner_bu_id = any(${[...remove]}::uuid[])`;
}
