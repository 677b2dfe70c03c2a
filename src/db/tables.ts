import type { ColumnType } from 'kysely';

/** A moment: ISO 8601 text in UTC on its way out of the database, that or a `Date` on its way in. */
export type Time = ColumnType<string, string | Date, string | Date>;

/**
 * The row types of every table, by table name. Each feature adds its own by declaration merging beside its
 * queries (`declare module '../../db/tables.ts' { interface Tables { … } }`), so that a feature's tables are
 * described in the feature's folder.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging in the features.
export interface Tables {}
