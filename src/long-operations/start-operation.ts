/** Starting operations. */
import type { Static, TSchema } from 'typebox';
import { v7 as uuidv7 } from 'uuid';
import type { MemberContext } from '../http/context.ts';
import type { OperationKind, PartedOperation } from './operation-kind.ts';
import { insertOperation } from './queries.ts';

/** Context of a start. In an open transaction, the operation starts if it commits. */
export type StartContext = Pick<MemberContext, 'platform' | 'caller' | 'db' | 'now'>;

/** A new operation. */
export interface NewOperation<P> {
  /** Default: a new id. */
  readonly id?: string;
  readonly params: P;
  /** Name of what it works on, such as a list, or of its action; at most 200 characters. Default: none. */
  readonly title?: string | null;
  /** Number of items. Default: unknown. */
  readonly total?: number | null;
  /** The unit in which the member must keep the role. Default: any. */
  readonly unitId?: string | null;
  /** The operation that it reverts. */
  readonly reverts?: string | null;
}

/** Longest stored title, in characters. */
const MAX_TITLE = 200;

/** Starts an operation that runs in parts. */
export async function startOperation<P extends TSchema>(
  ctx: StartContext,
  kind: PartedOperation<P>,
  operation: NewOperation<Static<P>>,
): Promise<{ id: string }> {
  return ctx.db.transaction(async (tx) => {
    const id = await insertNew({ ...ctx, db: tx }, kind, operation, kind.initialState);
    await kind.enqueue({ tenantId: tx.tenantId, operationId: id, turn: 0 }, tx, ctx.platform);
    return { id };
  });
}

/** Records an operation that the feature runs by itself, in the transaction that starts it. */
export async function trackOperation(
  ctx: StartContext,
  kind: OperationKind,
  operation: Omit<NewOperation<unknown>, 'params'>,
): Promise<void> {
  await insertNew(ctx, kind, { ...operation, params: {} }, {});
}

async function insertNew(
  { db, caller, now }: StartContext,
  { kind }: OperationKind,
  { id = uuidv7(), params, title = null, total = null, unitId = null, reverts = null }: NewOperation<unknown>,
  state: unknown,
): Promise<string> {
  await insertOperation(db, {
    id,
    kind,
    title: title === null ? null : title.slice(0, MAX_TITLE).toWellFormed(),
    status: 'queued',
    done: 0,
    total,
    counts: {},
    problems: [],
    error: null,
    params,
    state,
    unit_id: unitId,
    membership_id: caller.membershipId,
    active_unit_id: caller.activeUnitId,
    turn: 0,
    faults: 0,
    created_at: now,
    finished_at: null,
    reverts,
    reverted_by: null,
    has_changes: false,
  });
  return id;
}
