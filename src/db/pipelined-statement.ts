import type { CompiledQuery, QueryResult } from 'kysely';

/** Receiver of the result of a statement. */
export interface ResultListener {
  onResult(result: QueryResult<unknown>): void;
}

/** Listeners by their pipelined statements. */
const listeners = new WeakMap<CompiledQuery, ResultListener>();

/**
 * Marks a statement of a transaction whose result its caller does not await. Where that saves a message, it is sent with
 * the next statement or the commit, which fails with its error. Its rows are passed only to `onRows`.
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
