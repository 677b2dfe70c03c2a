/** Changes of tables, in the transaction that changes the definition: there is never one without the other. */
import { sql } from 'kysely';
import { schemaOf } from '../../db/tenant-schemas.ts';
import { AppError } from '../../errors/app-error.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { ENTITY_BUSY } from './errors.ts';
import { factsOf, planChange } from './plan.ts';
import { raiseRevision } from './queries.ts';
import { refuseMisfits, refuseViolations, rulesToCheck } from './row-checks.ts';
import type { Definition } from './schema.ts';
import { type Beforehand, forgetStaging } from './staging.ts';
import { takeOver } from './staging-plan.ts';
import { dropStatements, readStaged } from './staging-sql.ts';
import { busyWhenLocked, lockTables } from './table-locks.ts';
import { schemaStatements, statementsOf, type TablePlace } from './table-sql.ts';

const USE = 'entity-tables';

/** A backup holds definitions until it has read everything; other changes are done sooner. */
const TURN_TIMEOUT = '5s';

/**
 * Begins a change of definitions: it counts as one from now on, and others wait for its end.
 * @throws AppError ENTITY_BUSY when another change, or a backup, does not end.
 */
export async function beginChange(tx: ScopedDb): Promise<void> {
  await tx.asOwner(USE, [sql`set local lock_timeout = ${sql.lit(TURN_TIMEOUT)}`]);
  await busyWhenLocked(() => raiseRevision(tx));
}

/** Makes the table of a new entity. @throws AppError ENTITY_BUSY when a table that it refers to is in use all the time. */
export async function makeTable(tx: ScopedDb, definition: Definition): Promise<void> {
  const place = placeOf(tx, definition.name);
  const plan = planChange(null, factsOf(definition));
  await tx.asOwner(USE, schemaStatements(place.schema));
  await lockTables(tx, place.schema, plan.parents);
  await tx.asOwner(USE, statementsOf(place, [...plan.reshape, ...plan.constrain]));
}

/**
 * Changes the table of an entity. Rows are looked at as the changed table has them, before rules are added: whatever they
 * refuse undoes all of it. What was made beforehand is taken over, and was looked at then.
 * @throws AppError VALIDATION_ERROR with what rows refuse, or ENTITY_BUSY: also when what was made beforehand is for another
 * change than this one has become, as the rest would take long.
 */
export async function changeTable(
  tx: ScopedDb,
  old: Definition & { readonly version: number },
  next: Definition,
  beforehand: Beforehand | null,
): Promise<void> {
  const place = placeOf(tx, next.name);
  const whole = planChange(factsOf(old), factsOf(next));
  if (whole.reshape.length + whole.constrain.length + whole.patterns.length === 0) return;
  await lockTables(tx, place.schema, new Map([...whole.parents, [place.entity, true]]));
  const present = await readStaged(tx, place);
  const intact = present.filter(({ isWhole }) => isWhole).map(({ name }) => name);
  const { plan, used, isPartial } = takeOver(place.entity, whole, intact);
  if (beforehand?.isStaged && isPartial) throw new AppError(ENTITY_BUSY);
  await refuseMisfits(tx, place, plan);
  const unused = present.filter(({ name }) => !used.has(name));
  const reshaping = [...dropStatements(place, unused), ...statementsOf(place, plan.reshape)];
  await busyWhenLocked(() => tx.asOwner(USE, [sql`set local timezone = 'UTC'`, ...reshaping]));
  const matchedUntil = beforehand?.version === old.version ? beforehand.matchedUntil : null;
  await refuseViolations(tx, place, rulesToCheck(plan), plan.patterns, matchedUntil);
  await tx.asOwner(USE, statementsOf(place, plan.constrain));
  if (present.length > 0) await forgetStaging(tx, place.entity);
}

/** Drops the table of an entity, with its records. @throws AppError ENTITY_BUSY */
export async function dropTable(tx: ScopedDb, definition: Definition): Promise<void> {
  const place = placeOf(tx, definition.name);
  const plan = planChange(factsOf(definition), null);
  await lockTables(tx, place.schema, new Map([...plan.parents, [place.entity, true]]));
  await tx.asOwner(USE, statementsOf(place, plan.reshape));
}

function placeOf({ tenantId }: ScopedDb, entity: string): TablePlace {
  return { schema: schemaOf(tenantId), entity };
}
