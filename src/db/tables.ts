import type { ColumnType } from 'kysely';

/** A moment on its way into the database. */
export type Moment = string | Date;
/** A column of moments: ISO 8601 text in UTC on its way out of the database. */
export type Time = ColumnType<string, Moment, Moment>;

/**
 * The row types of every table, by table name. Each feature adds its own by declaration merging beside its
 * queries (`declare module '../../db/tables.ts' { interface Tables { … } }`), so that a feature's tables are
 * described in the feature's folder.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging in the features.
export interface Tables {}
