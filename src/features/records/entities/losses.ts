/**
 * Values that a change of a definition would delete, and the caller's consent
 * (docs/specification/records.md#losing-data).
 */
import { sql } from 'kysely';
import { AppError, type Issue } from '../../../errors/app-error.ts';
import { type EntityTable, tableSql } from './entity-table.ts';
import { WOULD_LOSE_DATA } from './errors.ts';
import { storedNameOf } from './models.ts';
import { tableDefinitionOf } from './plan.ts';
import type { RowReader } from './row-checks.ts';
import type { Definition } from './schema.ts';

/** Name of the workflow in `drop`. */
const WORKFLOW = 'workflow';

/** A part of a definition whose removal deletes values. */
interface Loss {
  /** Name of the part in issues. */
  readonly field: string;
  readonly column: string;
  /** Describes the loss of this many values. */
  readonly describe: (count: number) => string;
}

/**
 * Refuses to remove fields or the workflow if they have values and `drop` does not name them. @throws AppError
 * WOULD_LOSE_DATA with the number of values of each.
 */
export async function refuseLosses(
  read: RowReader,
  table: EntityTable,
  [old, next]: readonly [Definition, Definition],
  drop: readonly string[],
): Promise<void> {
  const losses = lossesOf(old, next).filter(({ field }) => !drop.includes(field));
  if (losses.length === 0) return;
  const counted = losses.map(({ column }) => sql`count(${sql.ref(column)})`);
  const { rows } = await read(
    (tenantId) => sql<{ counts: (number | string)[] }>`
      select array[${sql.join(counted)}]::bigint[] as counts from ${tableSql(table)} where tenant_id = ${tenantId}::uuid`,
  );
  refuseIfAny(
    losses.flatMap(({ field, describe }, index): Issue[] => {
      const count = Number(rows[0]?.counts[index] ?? 0);
      return count === 0 ? [] : [{ field, message: describe(count) }];
    }),
  );
}

/** Refuses to delete an entity that has records. @throws AppError WOULD_LOSE_DATA with their number. */
export async function refuseLostRecords(read: RowReader, table: EntityTable): Promise<void> {
  const { rows } = await read(
    (tenantId) =>
      sql<{ count: number | string }>`
        select count(*) as count from ${tableSql(table)} where tenant_id = ${tenantId}::uuid`,
  );
  const count = Number(rows[0]?.count ?? 0);
  if (count > 0)
    refuseIfAny([{ field: table.entity, message: `${numberOf(count, 'record')} would be deleted` }]);
}

function lossesOf(old: Definition, next: Definition): Loss[] {
  const columns = new Map(tableDefinitionOf(old).fields.map(({ name, column }) => [name, column]));
  const remaining = new Set(next.fields.map(storedNameOf));
  const fields = old.fields.flatMap((field): Loss[] => {
    const stored = storedNameOf(field);
    const column = stored === null ? undefined : columns.get(stored);
    return column === undefined || remaining.has(stored)
      ? []
      : [{ field: field.name, column, describe: describeValues }];
  });
  const column = next.workflow === null ? columns.get(old.workflow?.field ?? '') : undefined;
  return column === undefined ? fields : [...fields, { field: WORKFLOW, column, describe: describeWorkflow }];
}

function refuseIfAny(issues: readonly Issue[]): void {
  if (issues.length > 0) throw new AppError(WOULD_LOSE_DATA, { issues });
}

function describeValues(count: number): string {
  return `${numberOf(count, 'value')} would be deleted`;
}

function describeWorkflow(count: number): string {
  return `${numberOf(count, 'record')} would lose the workflow`;
}

function numberOf(count: number, kind: string): string {
  return count === 1 ? `1 ${kind}` : `${count} ${kind}s`;
}
