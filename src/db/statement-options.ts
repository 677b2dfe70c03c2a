import type { CompiledQuery } from 'kysely';

/** Options of a statement for the session driver. */
export interface StatementOptions {
  /**
   * `custom` for a bulk statement: PostgreSQL plans each run for its number of rows. Other recurring statements are
   * prepared, and the plan of a prepared statement joins a thousand rows by nested loops. Pass the keys also as a
   * separate array parameter, whose length the planner sees (`id = any(...)`), as in `journeys/states/state-writes.ts`.
   * Reading 1,000 of 20,000 signals took 125 ms with a cached plan and 9 ms with a custom one.
   */
  readonly plan?: 'custom';
}

const optionsByStatement = new WeakMap<CompiledQuery, StatementOptions>();

/** Sets the options of a statement and returns it. */
export function withOptions<Row>(query: CompiledQuery<Row>, options: StatementOptions): CompiledQuery<Row> {
  optionsByStatement.set(query, options);
  return query;
}

/** Returns the options of a statement. */
export function optionsOf(query: CompiledQuery): StatementOptions {
  return optionsByStatement.get(query) ?? {};
}
