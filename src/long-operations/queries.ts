import { sql } from 'kysely';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import { MAX_PROBLEMS, type OperationProblem, type OperationRow, UNFINISHED } from './operations.ts';

/** Columns of an operation that change. */
export type OperationChanges = Partial<
  Omit<OperationRow, 'tenant_id' | 'id' | 'kind' | 'params' | 'problems' | 'created_at' | 'finished_at'>
> & {
  readonly problems?: readonly OperationProblem[];
  readonly finished_at?: Date;
};

/** Inserts an operation. */
export async function insertOperation(
  tx: ScopedDb,
  {
    counts,
    problems,
    params,
    state,
    created_at,
    ...row
  }: Omit<OperationRow, 'tenant_id' | 'created_at'> & {
    readonly created_at: Date;
  },
): Promise<void> {
  const json = {
    counts: JSON.stringify(counts),
    problems: JSON.stringify(problems),
    params: JSON.stringify(params),
    state: JSON.stringify(state),
  };
  await tx.query
    .insertInto('operations')
    .values({ ...row, ...json, tenant_id: tx.tenantId, created_at })
    .execute();
}

/** Returns an operation, whoever started it; null if there is none. */
export async function findOperation(db: ScopedDb, id: string): Promise<OperationRow | null> {
  const found = db.query.selectFrom('operations').selectAll().where('id', '=', id);
  return (await found.executeTakeFirst()) ?? null;
}

/** Locks an operation until the transaction ends; null if there is none. */
export async function lockOperation(tx: ScopedDb, id: string): Promise<OperationRow | null> {
  const found = tx.query.selectFrom('operations').selectAll().where('id', '=', id).forUpdate();
  return (await found.executeTakeFirst()) ?? null;
}

/** Stores changes of an operation. */
export async function updateOperation(
  tx: ScopedDb,
  id: string,
  { counts, problems, state, ...changes }: OperationChanges,
): Promise<void> {
  const set = {
    ...changes,
    ...(counts === undefined ? {} : { counts: JSON.stringify(counts) }),
    ...(problems === undefined ? {} : { problems: JSON.stringify(problems) }),
    ...(state === undefined ? {} : { state: JSON.stringify(state) }),
  };
  await tx.query.updateTable('operations').set(set).where('id', '=', id).execute();
}

/** Returns the problems of an operation with new ones, if they change what is stored. */
export function withProblems(
  { problems }: OperationRow,
  more: readonly OperationProblem[],
): Pick<OperationChanges, 'problems'> {
  const added = more.slice(0, MAX_PROBLEMS - problems.length);
  return added.length === 0 ? {} : { problems: [...problems, ...added] };
}

/** Progress of an operation that a feature runs by itself. */
export type TrackedProgress =
  | { readonly status: 'running'; readonly done: number }
  | { readonly status: 'completed'; readonly done: number; readonly finished_at: Date }
  | { readonly status: 'failed'; readonly error: string; readonly finished_at: Date };

/** Reports the progress of an operation that a feature runs by itself, unless it has ended. */
export async function reportProgress(db: ScopedDb, id: string, progress: TrackedProgress): Promise<void> {
  await db.query
    .updateTable('operations')
    .set(progress)
    .where('id', '=', id)
    .where('status', 'in', [...UNFINISHED])
    .execute();
}

/** Lists operations that have not ended, newest first: those of one member, or all. */
export function listUnfinished(
  db: ScopedDb,
  membershipId: string | null,
  limit: number,
): Promise<OperationRow[]> {
  const unfinished = db.query
    .selectFrom('operations')
    .selectAll()
    .where('status', 'in', [...UNFINISHED]);
  const visible = membershipId === null ? unfinished : unfinished.where('membership_id', '=', membershipId);
  return visible.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
}

/** Lists operations that failed since a time, newest first, with the number of all: those of one member, or all. */
export function listFailed(db: ScopedDb, membershipId: string | null, after: Date, limit: number) {
  const failed = db.query
    .selectFrom('operations')
    .select(['id', 'kind', 'title', 'unit_id', 'created_at', 'finished_at'])
    .select(sql<number>`count(*) over ()::int`.as('total'))
    .where('status', '=', 'failed')
    .where('created_at', '>', after.toISOString());
  const visible = membershipId === null ? failed : failed.where('membership_id', '=', membershipId);
  return visible.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
}

/** Returns operations with these ids. */
export function findOperations(db: ScopedDb, ids: readonly string[]): Promise<OperationRow[]> {
  return db.query
    .selectFrom('operations')
    .selectAll()
    .where('id', 'in', [...ids])
    .execute();
}
