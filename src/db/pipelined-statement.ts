import type { CompiledQuery, QueryResult } from 'kysely';

/** Receiver of the result of a statement. */
export interface ResultListener {
  onResult(result: QueryResult<unknown>): void;
}

/** Listeners by their pipelined statements. */
const listeners = new WeakMap<CompiledQuery, ResultListener>();

/**
 * Marks a statement whose result the caller does not await. In a transaction on a server, the statement is sent with
 * the next one or the commit, which then fails with the error of this statement. Only `onRows` receives the rows.
 */
export function pipelineWithNext<Row>(
  query: CompiledQuery<Row>,
  onRows: (rows: readonly Row[]) => void,
): CompiledQuery<Row> {
  listeners.set(query, { onResult: ({ rows }: QueryResult<Row>) => onRows(rows) });
  return query;
}

/** Returns the listener of a pipelined statement; undefined for any other. */
export function resultListener(query: CompiledQuery): ResultListener | undefined {
  return listeners.get(query);
}
