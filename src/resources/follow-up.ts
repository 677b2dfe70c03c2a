/**
 * What the statement that writes a record also does: a message and a transaction less than a statement of its own. It calls a
 * function of the database for the record that it has written: only that sees what was committed while the record's row was waited
 * for. Not on a cluster: the statement runs on the node of the record, and a function there would know that node's tables alone.
 */
import type { AliasedRawBuilder, Expression, RawBuilder } from 'kysely';
import type { ScopedDb } from '../tenancy/scoped-db.ts';

/** The record that was written, as SQL: its JSON text, and that of what it was before; null where that was not asked for. */
export interface WrittenSql {
  readonly json: Expression<unknown>;
  readonly former: Expression<unknown>;
}

/** The record that was written. */
export interface WrittenTexts {
  readonly json: string;
  readonly former?: string;
}

/** What a statement that writes a record also does. */
export interface FollowUp<Result = unknown> {
  /** Tells its call from others: two of one shape differ in nothing but their values. */
  readonly shape: string;
  readonly values: readonly unknown[];
  /** The call of a function, of `values` as they are sent. */
  call(record: WrittenSql, values: readonly unknown[]): RawBuilder<unknown>;
  /** Is told what the function gave, before the transaction commits, if one is open. */
  told(db: ScopedDb, result: Result, record: WrittenTexts): void;
}

/** Tells statements with these from others. */
export function followUpShape(followUps: readonly FollowUp[]): string {
  return followUps.map(({ shape }) => ` and ${shape}`).join('');
}

/** What they send, after all that the statement sends by itself. */
export function followUpValues(followUps: readonly FollowUp[]): readonly unknown[] {
  return followUps.flatMap(({ values }) => values);
}

/** The columns that call them, of everything that the statement sends. */
export function followUpCalls(
  followUps: readonly FollowUp[],
  record: WrittenSql,
  sent: readonly unknown[],
): AliasedRawBuilder<unknown, string>[] {
  let from = sent.length - followUpValues(followUps).length;
  return followUps.map((followUp, place) => {
    const own = sent.slice(from, from + followUp.values.length);
    from += own.length;
    return followUp.call(record, own).as(`follow_up_${place}`);
  });
}

/** Tells them what came of them, by a row that the statement gave. */
export function tellFollowUps(
  db: ScopedDb,
  followUps: readonly FollowUp[],
  row: WrittenTexts & Readonly<Record<string, unknown>>,
): void {
  for (const [place, followUp] of followUps.entries()) followUp.told(db, row[`follow_up_${place}`], row);
}
