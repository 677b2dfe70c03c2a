import { sql } from 'kysely';

const MARK = '/* custom plan */';

/**
 * Prefix of a bulk statement that must not use a cached plan. It is planned at each run, for the actual number of rows
 * and table sizes; a cached plan suits few rows of small tables and joins a thousand rows by nested loops. Pass keys as
 * an array of their own, whose length the planner sees (`id = any(...)`), as in `journeys/states/state-writes.ts`. Taking 1,000
 * signals out of 20,000 took 125 ms with a cached plan and 9 ms without.
 */
export const customPlan = sql.raw<never>(MARK);

/** True if a statement has the prefix. */
export function needsCustomPlan(text: string): boolean {
  return text.trimStart().startsWith(MARK);
}
