/** Changes of tables, in the transaction that changes the definition: there is never one without the other. */
import { sql } from 'kysely';
import { setLockTimeout } from '../../../db/lock-timeout.ts';
import { isSqlState, LOCK_NOT_AVAILABLE } from '../../../db/sqlstate.ts';
import { schemaOf } from '../../../db/tenant-schemas.ts';
import { AppError } from '../../../errors/app-error.ts';
import type { MemberContext } from '../../../http/context.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { requireRoom } from './column-room.ts';
import { ENTITY_BUSY } from './errors.ts';
import { refuseLosses, refuseLostRecords } from './losses.ts';
import { factsOf, planChange } from './plan.ts';
import { raiseRevision } from './queries.ts';
import {
  findMismatches,
  type RowReader,
  refuseMisfits,
  refuseViolations,
  rulesToCheck,
} from './row-checks.ts';
import type { Definition } from './schema.ts';
import { type Beforehand, forgetStaging } from './staging.ts';
import { takeOver } from './staging-plan.ts';
import { dropStatements, readStaged } from './staging-sql.ts';
import { alterTables, lockTables } from './table-locks.ts';
import { forgetTotal, schemaStatements, statementsOf, type TablePlace } from './table-sql.ts';

/** A backup holds definitions until it has read everything; other changes are done sooner. */
const TURN_TIMEOUT = '5s';

/**
 * Begins a change of definitions: it counts as one from now on, and others wait for its end.
 * @throws AppError ENTITY_BUSY when another change, or a backup, does not end.
 */
export async function beginChange(tx: ScopedDb): Promise<void> {
  await alterTables(tx, [setLockTimeout(TURN_TIMEOUT)]);
  try {
    await raiseRevision(tx);
  } catch (error) {
    if (isSqlState(error, LOCK_NOT_AVAILABLE)) throw new AppError(ENTITY_BUSY, { cause: error });
    throw error;
  }
}

/** Makes the table of a new entity. @throws TableLockTimeout when a table that it refers to is in use. */
export async function makeTable(tx: ScopedDb, definition: Definition, isSharded: boolean): Promise<void> {
  const place = placeOf(tx, definition.name);
  const plan = planChange(null, factsOf(definition));
  if (!(await hasSchema(tx, place.schema))) await alterTables(tx, schemaStatements(place.schema, isSharded));
  await lockTables(tx, place.schema, plan.parents);
  await alterTables(tx, statementsOf(place, [...plan.reshape, ...plan.constrain]));
}

async function hasSchema(tx: ScopedDb, schema: string): Promise<boolean> {
  const { rows } = await tx.raw(
    (tenantId) => sql`select from pg_namespace where nspname = ${schema} and ${tenantId}::uuid is not null`,
  );
  return rows.length > 0;
}

/**
 * Changes the table of an entity. Rows are looked at as the changed table has them, before rules are added: whatever they
 * refuse undoes all of it. What was made beforehand is taken over, and was looked at then.
 * @throws AppError WOULD_LOSE_DATA, VALIDATION_ERROR with what rows refuse, or ENTITY_BUSY when what was made beforehand is for another change
 * than this one has become, as the rest would take long; TableLockTimeout.
 */
export async function changeTable(
  { platform, db: tx }: Pick<MemberContext, 'platform' | 'db'>,
  old: Definition & { readonly version: number },
  next: Definition,
  beforehand: Beforehand | null,
  drop: readonly string[],
): Promise<void> {
  const place = placeOf(tx, next.name);
  const whole = planChange(factsOf(old), factsOf(next));
  if (whole.reshape.length + whole.constrain.length === 0) return;
  await lockTables(tx, place.schema, new Map([...whole.parents, [place.entity, true]]));
  const read: RowReader = (write) => tx.readAsOwner('entity-tables', write);
  // Again, as records may have got values since the change was prepared.
  await refuseLosses(read, place, [old, next], drop);
  const present = await readStaged(tx, place);
  const intact = present.filter(({ isWhole }) => isWhole).map(({ name }) => name);
  const { plan, used, isPartial } = takeOver(place.entity, whole, intact);
  if (beforehand?.isStaged && isPartial) throw new AppError(ENTITY_BUSY);
  await requireRoom(tx, place, plan);
  await refuseMisfits(read, place, plan);
  const unused = present.filter(({ name }) => !used.has(name));
  const reshaping = [...dropStatements(place, unused), ...statementsOf(place, plan.reshape)];
  await alterTables(tx, [sql`set local timezone = 'UTC'`, ...reshaping]);
  const known = beforehand?.version === old.version ? beforehand : null;
  const mismatches = known?.mismatches ?? [];
  const patterns = plan.patterns.filter(({ name }) => !mismatches.some(({ field }) => field === name));
  const source = { read, platform, tenantId: tx.tenantId };
  const later = await findMismatches(source, place, patterns, known?.matchedUntil ?? null);
  await refuseViolations(read, place, rulesToCheck(plan), [...mismatches, ...later]);
  await alterTables(tx, statementsOf(place, plan.constrain));
  if (present.length > 0) await forgetStaging(tx, place.entity);
}

/** Drops the table of an entity, with its records if they may go. @throws AppError WOULD_LOSE_DATA; TableLockTimeout */
export async function dropTable(tx: ScopedDb, definition: Definition, losesRecords: boolean): Promise<void> {
  const place = placeOf(tx, definition.name);
  const plan = planChange(factsOf(definition), null);
  await lockTables(tx, place.schema, new Map([...plan.parents, [place.entity, true]]));
  if (!losesRecords) await refuseLostRecords((write) => tx.readAsOwner('entity-tables', write), place);
  await alterTables(tx, [...statementsOf(place, plan.reshape), forgetTotal(place, definition)]);
}

/** The table of an entity. */
export function placeOf({ tenantId }: ScopedDb, entity: string): TablePlace {
  return { schema: schemaOf(tenantId), entity };
}
