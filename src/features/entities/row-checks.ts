/** What the rows of a table say to a changed definition: each rule that some of them break, with how many do. */
import { type QueryResult, type RawBuilder, sql } from 'kysely';
import { AppError, type Issue } from '../../errors/app-error.ts';
import { VALIDATION_ERROR } from '../../errors/platform-errors.ts';
import { compileLinearRegex } from '../../patterns/linear-regex.ts';
import type { StoredField } from './models.ts';
import type { Plan, Rule } from './plan.ts';
import { misfitOf, type TablePlace, tableOf, violationOf } from './table-sql.ts';

/** How many values are looked at in one go. */
const PAGE_ROWS = 5000;

/** Reads rows of a tenant, as `ScopedDb.raw` does: the change itself as the owner of the tables, on a cluster the only one who may. */
export type RowReader = <Row>(write: (tenantId: string) => RawBuilder<Row>) => Promise<QueryResult<Row>>;

interface RowCheck {
  readonly field: StoredField;
  /** What is wrong with the rows, after their number. */
  readonly fault: string;
  /** Counts those that are wrong. */
  readonly count: (table: RawBuilder<unknown>, tenantId: string) => RawBuilder<number>;
}

/** @throws AppError VALIDATION_ERROR when values do not become such of their field's new type. */
export async function refuseMisfits(read: RowReader, place: TablePlace, { reshape }: Plan): Promise<void> {
  const checks = reshape.flatMap((step): RowCheck[] =>
    step.do === 'convert_column'
      ? [
          {
            field: step.field,
            fault: `cannot become ${step.field.type}`,
            count: countWhere(misfitOf(step.field, step.from)),
          },
        ]
      : [],
  );
  await refuse(read, place, checks);
}

/** A rule of a field, as rows are looked at for it. */
export interface CheckedRule {
  readonly field: StoredField;
  readonly rule: Rule;
}

/** The rules of a plan that rows were not looked at for. */
export function rulesToCheck({ constrain }: Plan): CheckedRule[] {
  return constrain.flatMap((step) => (step.do === 'add_rule' ? [step] : []));
}

/**
 * Looks for rows that break rules that are to be added, or do not match the patterns of fields; of the latter only at rows that
 * were written after `matchedUntil`, if it is told. @throws AppError VALIDATION_ERROR
 */
export async function refuseViolations(
  read: RowReader,
  place: TablePlace,
  rules: readonly CheckedRule[],
  patterns: readonly StoredField[],
  matchedUntil: string | null,
): Promise<void> {
  const checks = rules
    .filter(({ rule }) => rule.kind !== 'index')
    .map(({ field, rule }) => ({ field, fault: faultOf(rule), count: counterOf(field, rule, place) }));
  const mismatches = await findMismatches(read, place, patterns, matchedUntil);
  await refuse(read, place, checks, mismatches);
}

/** A moment for `refuseViolations`: rows that a look from now on does not find are written after it. */
export async function readMoment(read: RowReader): Promise<string> {
  const { rows } = await read(
    (tenantId) =>
      sql<{
        moment: string;
      }>`select pg_snapshot_xmin(pg_current_snapshot())::xid::text as moment, ${tenantId}::uuid`,
  );
  const moment = rows[0]?.moment;
  if (moment === undefined) throw new Error('The database tells no moment.');
  return moment;
}

async function refuse(
  read: RowReader,
  place: TablePlace,
  checks: readonly RowCheck[],
  known: readonly Issue[] = [],
): Promise<void> {
  const issues = [...known];
  if (checks.length > 0) {
    const { rows } = await read((tenantId) => {
      const counts = checks.map(({ count }) => count(tableOf(place), tenantId));
      return sql<{
        counts: (number | string)[];
      }>`select array[${sql.join(counts)}]::int[] as counts, ${tenantId}::uuid`;
    });
    for (const [index, { field, fault }] of checks.entries()) {
      const count = Number(rows[0]?.counts[index] ?? 0);
      if (count > 0) issues.push({ field: field.name, message: `${recordsOf(count)} ${fault}` });
    }
  }
  if (issues.length === 0) return;
  const message = 'Records that are there do not fit the definition. Nothing was changed.';
  throw new AppError(VALIDATION_ERROR, { message, issues });
}

function recordsOf(count: number): string {
  return count === 1 ? '1 record' : `${count} records`;
}

function countWhere(condition: RawBuilder<unknown>) {
  return (table: RawBuilder<unknown>, tenantId: string): RawBuilder<number> =>
    sql<number>`(select count(*) from ${table} checked where tenant_id = ${tenantId}::uuid and ${condition})`;
}

function counterOf(field: StoredField, rule: Rule, place: TablePlace): RowCheck['count'] {
  const column = sql.id(field.column);
  if (rule.kind === 'unique')
    return (table, tenantId) => sql<number>`(select coalesce(sum(n), 0) from (
      select count(*) as n from ${table} where tenant_id = ${tenantId}::uuid and ${column} is not null
      group by ${column} having count(*) > 1) same)`;
  if (rule.kind === 'refers') {
    const parent = tableOf({ ...place, entity: rule.entity });
    const referred = sql`p.tenant_id = checked.tenant_id and p.id = checked.${column}`;
    return countWhere(sql`${column} is not null and not exists (select from ${parent} p where ${referred})`);
  }
  return countWhere(violationOf(field, rule));
}

function faultOf(rule: Rule): string {
  switch (rule.kind) {
    case 'required':
      return 'without a value';
    case 'unique':
      return 'with a value that others have too';
    case 'enum':
      return 'with another value than those allowed';
    case 'min':
      return `below the least ${rule.ofLength ? 'length' : 'value'} ${rule.bound}`;
    case 'max':
      return `above the greatest ${rule.ofLength ? 'length' : 'value'} ${rule.bound}`;
    case 'refers':
      return `with no record of ${rule.entity} that they refer to`;
    case 'index':
      return '';
  }
}

/** Patterns are matched here and not by PostgreSQL, whose own are others and take longer the worse they are. */
async function findMismatches(
  read: RowReader,
  place: TablePlace,
  fields: readonly StoredField[],
  matchedUntil: string | null,
): Promise<Issue[]> {
  const issues: Issue[] = [];
  for (const field of fields) {
    const count = await countMismatches(read, place, field, matchedUntil);
    if (count > 0)
      issues.push({ field: field.name, message: `${recordsOf(count)} not matching the pattern` });
  }
  return issues;
}

async function countMismatches(
  read: RowReader,
  place: TablePlace,
  { column, pattern }: StoredField,
  matchedUntil: string | null,
): Promise<number> {
  const regex = compileLinearRegex(pattern ?? '', false);
  if (regex === null) throw new Error('A definition has a pattern that was not checked.');
  const table = tableOf(place);
  // What was written since is few, and found by one look at all.
  const rowsToMatch =
    matchedUntil === null
      ? table
      : sql`(select * from ${table} where age(xmin) <= age(${matchedUntil}::text::xid) offset 0) later`;
  let count = 0;
  let last = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await read(
      (tenantId) => sql<{ id: string; value: string | null }>`
        select id, ${sql.id(column)} as value from ${rowsToMatch}
        where tenant_id = ${tenantId}::uuid and id > ${last}::uuid order by id limit ${PAGE_ROWS}`,
    );
    count += rows.filter(({ value }) => value !== null && !regex.test(value)).length;
    if (rows.length < PAGE_ROWS) return count;
    last = rows.at(-1)?.id ?? last;
  }
}
