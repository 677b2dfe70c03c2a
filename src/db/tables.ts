import type { ColumnType } from 'kysely';

/** A time as an input value of a statement. */
export type Moment = string | Date;
/** A column of times; results are ISO 8601 text in UTC. */
export type Time = ColumnType<string, Moment, Moment>;

/**
 * Row types of all tables by name. Each feature adds its own by declaration merging next to its queries (`declare
 * module '../../db/tables.ts' { interface Tables { … } }`), so that a feature's tables are described in the feature's
 * folder.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging in the features.
export interface Tables {}
