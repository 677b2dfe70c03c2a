import type { CompiledQuery, QueryResult } from 'kysely';

/** Who is told what came of a statement. */
export interface ResultListener {
  told(result: QueryResult<unknown>): void;
}

/** By the statements that leave with the next. */
const listeners = new WeakMap<CompiledQuery, ResultListener>();

/**
 * Marks a statement of a transaction, of which nobody waits for the result: where that saves a message, it leaves with the next
 * statement or with the commit, which fails for its reason when it fails. Its rows go to `onRows` alone.
 */
export function leaveWithNext<Row>(
  query: CompiledQuery<Row>,
  onRows: (rows: readonly Row[]) => void,
): CompiledQuery<Row> {
  listeners.set(query, { told: ({ rows }: QueryResult<Row>) => onRows(rows) });
  return query;
}

/** Who is told the result of a statement that was marked so; undefined for any other. */
export function resultListener(query: CompiledQuery): ResultListener | undefined {
  return listeners.get(query);
}
