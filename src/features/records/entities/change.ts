/** Changes of entity tables, in the same transaction as the change of the definition. */
import { sql } from 'kysely';
import { setLockTimeout } from '../../../db/lock-timeout.ts';
import { isSqlState, LOCK_NOT_AVAILABLE } from '../../../db/sqlstate.ts';
import { AppError } from '../../../errors/app-error.ts';
import type { MemberContext } from '../../../http/context.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { requireFreeColumns } from './column-limit.ts';
import { entityTableOf } from './entity-table.ts';
import { ENTITY_BUSY } from './errors.ts';
import { refuseLosses, refuseLostRecords } from './losses.ts';
import { planChange, tableDefinitionOf } from './plan.ts';
import { raiseRevision } from './queries.ts';
import {
  findMismatches,
  type RowReader,
  refuseViolations,
  requireConvertible,
  rulesToCheck,
} from './row-checks.ts';
import type { Definition } from './schema.ts';
import { deleteStaging, type PreparedChange } from './staging.ts';
import { adoptStaged } from './staging-plan.ts';
import { dropStatements, readStaged } from './staging-sql.ts';
import { alterTables, lockTables } from './table-locks.ts';
import { deleteTotal, schemaStatements, statementsOf } from './table-sql.ts';

/** Maximum wait for other changes, and for a backup, which blocks them until it has read all definitions. */
const CHANGE_LOCK_TIMEOUT = '5s';

/**
 * Begins a change of definitions: raises the revision and makes other changes wait. @throws AppError ENTITY_BUSY if
 * another change or a backup takes too long.
 */
export async function beginChange(tx: ScopedDb): Promise<void> {
  await alterTables(tx, [setLockTimeout(CHANGE_LOCK_TIMEOUT)]);
  try {
    await raiseRevision(tx);
  } catch (error) {
    if (isSqlState(error, LOCK_NOT_AVAILABLE)) throw new AppError(ENTITY_BUSY, { cause: error });
    throw error;
  }
}

/** Creates the table of a new entity. @throws TableLockTimeout if a table that it refers to is in use. */
export async function makeTable(tx: ScopedDb, definition: Definition): Promise<void> {
  const table = entityTableOf(tx, definition.name);
  const plan = planChange(null, tableDefinitionOf(definition));
  if (!(await hasSchema(tx, table.schema))) await alterTables(tx, schemaStatements(table.schema));
  await lockTables(tx, table.schema, plan.parents);
  await alterTables(tx, statementsOf(table, [...plan.reshape, ...plan.constrain]));
}

async function hasSchema(tx: ScopedDb, schema: string): Promise<boolean> {
  const { rows } = await tx.raw(
    (tenantId) => sql`select from pg_namespace where nspname = ${schema} and ${tenantId}::uuid is not null`,
  );
  return rows.length > 0;
}

/**
 * Changes the table of an entity and adopts its staged parts. Rows are checked before rules are added; a violation
 * rolls everything back.
 * @throws AppError WOULD_LOSE_DATA, VALIDATION_ERROR with the violations, ENTITY_BUSY if the staged parts belong to a
 * different change; TableLockTimeout.
 */
export async function changeTable(
  { platform, db: tx }: Pick<MemberContext, 'platform' | 'db'>,
  old: Definition & { readonly version: number },
  next: Definition,
  prepared: PreparedChange | null,
  drop: readonly string[],
): Promise<void> {
  const table = entityTableOf(tx, next.name);
  const complete = planChange(tableDefinitionOf(old), tableDefinitionOf(next));
  if (complete.reshape.length + complete.constrain.length === 0) return;
  await lockTables(tx, table.schema, new Map([...complete.parents, [table.entity, true]]));
  const read: RowReader = (write) => tx.readAsOwner('entity-tables', write);
  // Check again: records may have received values since the change was prepared.
  await refuseLosses(read, table, [old, next], drop);
  const current = await readStaged(tx, table);
  const adoptable = current.filter(({ isComplete }) => isComplete).map(({ name }) => name);
  const { plan, used, isPartial } = adoptStaged(table.entity, complete, adoptable);
  if (prepared?.isStaged && isPartial) throw new AppError(ENTITY_BUSY);
  await requireFreeColumns(tx, table, plan);
  await requireConvertible(read, table, plan);
  const unused = current.filter(({ name }) => !used.has(name));
  const reshaping = [...dropStatements(table, unused), ...statementsOf(table, plan.reshape)];
  await alterTables(tx, [sql`set local timezone = 'UTC'`, ...reshaping]);
  const valid = prepared?.version === old.version ? prepared : null;
  const mismatches = valid?.mismatches ?? [];
  const patterns = plan.patterns.filter(({ name }) => !mismatches.some(({ field }) => field === name));
  const source = { read, platform, tenantId: tx.tenantId };
  const newMismatches = await findMismatches(source, table, patterns, valid?.matchedUntil ?? null);
  await refuseViolations(read, table, rulesToCheck(plan), [...mismatches, ...newMismatches]);
  await alterTables(tx, statementsOf(table, plan.constrain));
  if (current.length > 0) await deleteStaging(tx, table.entity);
}

/**
 * Drops the table of an entity.
 * @throws AppError WOULD_LOSE_DATA if there are records and not `mayLoseRecords`; TableLockTimeout.
 */
export async function dropTable(
  tx: ScopedDb,
  definition: Definition,
  mayLoseRecords: boolean,
): Promise<void> {
  const table = entityTableOf(tx, definition.name);
  const plan = planChange(tableDefinitionOf(definition), null);
  await lockTables(tx, table.schema, new Map([...plan.parents, [table.entity, true]]));
  if (!mayLoseRecords) await refuseLostRecords((write) => tx.readAsOwner('entity-tables', write), table);
  await alterTables(tx, [...statementsOf(table, plan.reshape), deleteTotal(table, definition)]);
}
