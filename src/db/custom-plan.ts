import { sql } from 'kysely';

const MARK = '/* custom plan */';

/**
 * Prefix of a bulk statement that must not use a cached plan: PostgreSQL then plans each run for the actual number of
 * rows. A cached plan suits few rows, and joins a thousand rows by nested loops. Pass the keys also as a separate array
 * parameter, whose length the planner sees (`id = any(...)`), as in `journeys/states/state-writes.ts`. Reading 1,000
 * of 20,000 signals took 125 ms with a cached plan and 9 ms without.
 */
export const customPlan = sql.raw<never>(MARK);

/** Returns true if a statement has the prefix. */
export function needsCustomPlan(text: string): boolean {
  return text.trimStart().startsWith(MARK);
}
