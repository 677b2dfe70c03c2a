/**
 * Calls of database functions in the statement that writes a record, which saves a round trip and a transaction. The
 * function sees rows that were committed while the statement waited for the record's row. Not used on a cluster: there
 * the statement runs on the record's node, where a function sees only that node's tables.
 */
import type { AliasedRawBuilder, Expression, RawBuilder } from 'kysely';
import type { ScopedDb } from '../tenancy/scoped-db.ts';

/** The written record as SQL: its JSON text, and that of its previous version (null if not requested). */
export interface WrittenRecordSql {
  readonly json: Expression<unknown>;
  readonly previous: Expression<unknown>;
}

/** The written record as JSON text, with its previous version if requested. */
export interface WrittenRecordTexts {
  readonly json: string;
  readonly previous?: string;
}

/** A call of a database function in a writing statement. */
export interface FollowUp<Result = unknown> {
  /** Identifies the call: two calls of the same shape differ only in their values. */
  readonly shape: string;
  readonly values: readonly unknown[];
  /** Returns the function call; `values` are the placeholders for the call's values. */
  call(record: WrittenRecordSql, values: readonly unknown[]): RawBuilder<unknown>;
  /** Receives the function's result, before an open transaction commits. */
  onResult(db: ScopedDb, result: Result, record: WrittenRecordTexts): void;
}

/** The part of a statement's shape for these follow-ups. */
export function followUpShape(followUps: readonly FollowUp[]): string {
  return followUps.map(({ shape }) => ` and ${shape}`).join('');
}

/** The values of follow-ups, which come after all others of the statement. */
export function followUpValues(followUps: readonly FollowUp[]): readonly unknown[] {
  return followUps.flatMap(({ values }) => values);
}

/** The columns that call follow-ups; `values` are all values of the statement. */
export function followUpCalls(
  followUps: readonly FollowUp[],
  record: WrittenRecordSql,
  values: readonly unknown[],
): AliasedRawBuilder<unknown, string>[] {
  let from = values.length - followUpValues(followUps).length;
  return followUps.map((followUp, index) => {
    const callValues = values.slice(from, from + followUp.values.length);
    from += callValues.length;
    return followUp.call(record, callValues).as(`follow_up_${index}`);
  });
}

/** Passes the results in a returned row to the follow-ups. */
export function notifyFollowUps(
  db: ScopedDb,
  followUps: readonly FollowUp[],
  row: WrittenRecordTexts & Readonly<Record<string, unknown>>,
): void {
  for (const [index, followUp] of followUps.entries()) followUp.onResult(db, row[`follow_up_${index}`], row);
}
