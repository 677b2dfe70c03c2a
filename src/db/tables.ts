/**
 * The row types of every table, by table name. Each feature adds its own by declaration merging beside its
 * queries (`declare module '../../db/tables.ts' { interface Tables { … } }`), so that a feature's tables are
 * described in the feature's folder.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging in the features.
export interface Tables {}
