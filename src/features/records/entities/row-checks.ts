/** Checks existing rows against a changed definition and counts the violations of each rule. */
import { type QueryResult, type RawBuilder, sql } from 'kysely';
import { AppError, type Issue } from '../../../errors/app-error.ts';
import { VALIDATION_ERROR } from '../../../errors/platform-errors.ts';
import { MAX_TEXT_CHARS } from '../../../patterns/linear-regex.ts';
import { matchInThread } from '../../../patterns/pattern-thread.ts';
import type { Platform } from '../../../platform.ts';
import { type EntityTable, tableSql } from './entity-table.ts';
import type { Plan, Rule } from './plan.ts';
import type { StoredField } from './stored-field.ts';
import { unconvertibleSql, violationSql } from './table-sql.ts';

/** Rows per page when values are read. */
const PAGE_ROWS = 5000;

/** Processor time in the pattern thread for the values of one field, in ms. */
const MAX_MATCH_MS = 30_000;

/**
 * Reads rows of a tenant, like `ScopedDb.raw`. A change reads as the owner of the tables, because some databases let
 * only the owner read them meanwhile.
 */
export type RowReader = <Row>(write: (tenantId: string) => RawBuilder<Row>) => Promise<QueryResult<Row>>;

/** Rows of a tenant, and the platform that matches their texts. */
export interface RowSource {
  readonly read: RowReader;
  readonly platform: Platform;
  readonly tenantId: string;
}

interface RowCheck {
  readonly field: StoredField;
  /** End of the message, which begins with the number of invalid rows. */
  readonly messageEnd: string;
  /** Counts the invalid rows. */
  readonly count: (tableName: RawBuilder<unknown>, tenantId: string) => RawBuilder<number>;
}

/** @throws AppError VALIDATION_ERROR if values cannot be converted to the new type of their field. */
export async function requireConvertible(
  read: RowReader,
  table: EntityTable,
  { reshape }: Plan,
): Promise<void> {
  const checks = reshape.flatMap((step): RowCheck[] =>
    step.do === 'convert_column'
      ? [
          {
            field: step.field,
            messageEnd: `cannot become ${step.field.type}`,
            count: countWhere(unconvertibleSql(step.field, step.from)),
          },
        ]
      : [],
  );
  await requireValidRows(read, table, checks);
}

/** A rule of a field that existing rows are checked against. */
export interface CheckedRule {
  readonly field: StoredField;
  readonly rule: Rule;
}

/** Lists the rules of a plan that rows were not yet checked against. */
export function rulesToCheck({ constrain }: Plan): CheckedRule[] {
  return constrain.flatMap((step) => (step.do === 'add_rule' ? [step] : []));
}

/**
 * Refuses rules that existing rows violate. `mismatches` is the result of `findMismatches`.
 * @throws AppError VALIDATION_ERROR with all violations.
 */
export async function refuseViolations(
  read: RowReader,
  table: EntityTable,
  rules: readonly CheckedRule[],
  mismatches: readonly Issue[],
): Promise<void> {
  const checks = rules
    .filter(({ rule }) => rule.kind !== 'index')
    .map(({ field, rule }) => ({
      field,
      messageEnd: messageEndOf(rule),
      count: counterOf(field, rule, table),
    }));
  await requireValidRows(read, table, checks, mismatches);
}

/**
 * Finds rows that do not match the patterns of fields; only rows written after `matchedUntil`, if given.
 * @throws the errors of `matchInThread`.
 */
export async function findMismatches(
  source: RowSource,
  table: EntityTable,
  patterns: readonly StoredField[],
  matchedUntil: string | null,
): Promise<Issue[]> {
  const issues: Issue[] = [];
  for (const field of patterns) {
    const message = await mismatchOf(source, table, field, matchedUntil);
    if (message !== null) issues.push({ field: field.name, message });
  }
  return issues;
}

/**
 * Returns the oldest running transaction, as the time for `findMismatches`: rows that a later read does not see are
 * written by it or by newer transactions.
 */
export async function readTimestamp(read: RowReader): Promise<string> {
  const { rows } = await read(
    (tenantId) =>
      sql<{
        time: string;
      }>`select pg_snapshot_xmin(pg_current_snapshot())::xid::text as time, ${tenantId}::uuid`,
  );
  const time = rows[0]?.time;
  if (time === undefined) throw new Error('The database returned no time.');
  return time;
}

/** Counts the invalid rows of each check. @throws AppError VALIDATION_ERROR with these and the other issues. */
async function requireValidRows(
  read: RowReader,
  table: EntityTable,
  checks: readonly RowCheck[],
  otherIssues: readonly Issue[] = [],
): Promise<void> {
  const issues = [...otherIssues];
  if (checks.length > 0) {
    const { rows } = await read((tenantId) => {
      const counts = checks.map(({ count }) => count(tableSql(table), tenantId));
      return sql<{
        counts: (number | string)[];
      }>`select array[${sql.join(counts)}]::int[] as counts, ${tenantId}::uuid`;
    });
    for (const [index, { field, messageEnd }] of checks.entries()) {
      const count = Number(rows[0]?.counts[index] ?? 0);
      if (count > 0) issues.push({ field: field.name, message: `${recordsOf(count)} ${messageEnd}` });
    }
  }
  if (issues.length === 0) return;
  const message = 'Existing records do not match the definition. Nothing was changed.';
  throw new AppError(VALIDATION_ERROR, { message, issues });
}

function recordsOf(count: number): string {
  return count === 1 ? '1 record' : `${count} records`;
}

function countWhere(condition: RawBuilder<unknown>) {
  return (tableName: RawBuilder<unknown>, tenantId: string): RawBuilder<number> =>
    sql<number>`(select count(*) from ${tableName} checked where tenant_id = ${tenantId}::uuid and ${condition})`;
}

function counterOf(field: StoredField, rule: Rule, table: EntityTable): RowCheck['count'] {
  const column = sql.id(field.column);
  if (rule.kind === 'unique')
    return (tableName, tenantId) => sql<number>`(select coalesce(sum(n), 0) from (
      select count(*) as n from ${tableName} where tenant_id = ${tenantId}::uuid and ${column} is not null
      group by ${column} having count(*) > 1) duplicates)`;
  if (rule.kind === 'refers') {
    const parent = tableSql({ ...table, entity: rule.entity });
    const isParent = sql`p.tenant_id = checked.tenant_id and p.id = checked.${column}`;
    return countWhere(sql`${column} is not null and not exists (select from ${parent} p where ${isParent})`);
  }
  return countWhere(violationSql(field, rule));
}

function messageEndOf(rule: Rule): string {
  switch (rule.kind) {
    case 'required':
      return 'without a value';
    case 'unique':
      return 'with a value that other records have too';
    case 'enum':
      return 'with a value that is not allowed';
    case 'min':
      return `below the minimum ${rule.ofLength ? 'length' : 'value'} ${rule.bound}`;
    case 'max':
      return `above the maximum ${rule.ofLength ? 'length' : 'value'} ${rule.bound}`;
    case 'refers':
      return `referencing a missing record of ${rule.entity}`;
    case 'index':
      return '';
  }
}

/**
 * Returns the issue for values that do not match a field's pattern, or null. They are matched in the pattern thread:
 * PostgreSQL has a different syntax, and its matching can take exponential time.
 */
async function mismatchOf(
  { read, ...thread }: RowSource,
  table: EntityTable,
  { column, pattern }: StoredField,
  matchedUntil: string | null,
): Promise<string | null> {
  const counter = new MismatchCounter(thread, pattern ?? '');
  const tableName = tableSql(table);
  // Few rows were written since, so one read without paging suffices.
  const rowsToMatch =
    matchedUntil === null
      ? tableName
      : sql`(select * from ${tableName} where age(xmin) <= age(${matchedUntil}::text::xid) offset 0) later`;
  let last = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await read(
      (tenantId) => sql<{ id: string; value: string | null }>`
        select id, ${sql.id(column)} as value from ${rowsToMatch}
        where tenant_id = ${tenantId}::uuid and id > ${last}::uuid order by id limit ${PAGE_ROWS}`,
    );
    const isCounted = await counter.add(rows.flatMap(({ value }) => value ?? []));
    if (!isCounted) return 'records take too long to match against the pattern: simplify it';
    if (rows.length < PAGE_ROWS) break;
    last = rows.at(-1)?.id ?? last;
  }
  return counter.count === 0 ? null : `${recordsOf(counter.count)} not matching the pattern`;
}

/** Counts texts that do not match a pattern, within a time budget. */
class MismatchCounter {
  count = 0;
  readonly #thread: Omit<RowSource, 'read'>;
  readonly #pattern: string;
  #usedMs = 0;

  constructor(thread: Omit<RowSource, 'read'>, pattern: string) {
    this.#thread = thread;
    this.#pattern = pattern;
  }

  /** Adds the mismatches of these texts; returns false once the budget is used up. */
  async add(added: readonly string[]): Promise<boolean> {
    const { platform, tenantId } = this.#thread;
    let texts = added.filter((text) => text.length <= MAX_TEXT_CHARS);
    this.count += added.length - texts.length;
    while (texts.length > 0) {
      if (this.#usedMs >= MAX_MATCH_MS) return false;
      const task = { pattern: this.#pattern, ignoreCase: false, texts };
      const { results, isComplete, usedMs } = await matchInThread(platform, tenantId, [task]);
      this.#usedMs += usedMs;
      const matches = results[0]?.matches ?? [];
      this.count += matches.filter((isMatch) => !isMatch).length;
      // Without progress, a repeated run would make none either.
      if (!isComplete && matches.length === 0) return false;
      texts = texts.slice(matches.length);
    }
    return true;
  }
}
