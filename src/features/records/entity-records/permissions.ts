/**
 * Who may read and write records: by the rules of units where units own them, else every member reads, every editor writes and
 * every admin deletes (docs/specification/records.md#entities). An automation may do all that.
 */
import { AppError } from '../../../errors/app-error.ts';
import { FORBIDDEN, invalidRequest, NOT_FOUND, OWNER_IMMUTABLE } from '../../../errors/platform-errors.ts';
import { ownerOfNew, readsShared, requireRole, unitIdOf } from '../../../resources/ownership.ts';
import { hasRoleInAnyUnit, type Role, roleCovers, roleIn } from '../../../tenancy/caller.ts';
import { findUnitId, getDefaultUnitId } from '../../tenancy/api.ts';
import type { EntityModel } from '../entities/index.ts';
import { readStanding } from './check-queries.ts';
import type { EntityContext, RecordsActor } from './open-entity.ts';
import type { RecordBody } from './record-values.ts';
import { showsUnit } from './shown-fields.ts';
import type { RecordChanges } from './update-queries.ts';
import { noWay } from './workflow.ts';

/** Whether the actor sees records at all: without any unit no person sees anything. */
export function seesRecords({ actor }: Pick<EntityContext, 'actor'>): boolean {
  return actor.kind !== 'member' || readsShared(actor.caller);
}

/** @throws AppError FORBIDDEN when the actor may not do this to records of the tenant; of a unit's record its unit decides. */
export function requireWriter(ctx: EntityContext, role: Role): void {
  if (ctx.model.ownedBy === 'tenant') requireWriterOfSome(ctx, role);
}

/** @throws AppError FORBIDDEN when a person has the role in no unit, and so may do this to no record. */
export function requireWriterOfSome({ actor }: EntityContext, role: Role): void {
  if (actor.kind === 'member' && !hasRoleInAnyUnit(actor.caller, role)) throw new AppError(FORBIDDEN);
}

/** Whether the actor may change what this unit owns. */
export function isWriterIn(actor: RecordsActor, unit: string): boolean {
  if (actor.kind !== 'member') return true;
  const role = roleIn(actor.caller, unit);
  return role !== null && roleCovers(role, 'editor');
}

/** Whether the actor sees the records of every unit, so that nothing need be looked up. */
export function reachesAllUnits(actor: RecordsActor): boolean {
  return actor.kind !== 'member' || actor.caller.reachesAllUnits;
}

/**
 * The unit that will own a new record; null where the tenant does. That of an automation is the one that the body names, else
 * Default. @throws AppError by the rules of ownership, or INVALID_REQUEST
 */
export async function ownerOf(ctx: EntityContext, body: RecordBody, place = ''): Promise<string | null> {
  const { actor, model, db } = ctx;
  if (model.ownedBy === 'tenant') return null;
  const named = readUnit(model, body, place);
  if (actor.kind === 'member') return ownerOfNew(actor, undefined, named);
  if (named === undefined) return getDefaultUnitId(db);
  const unit = await findUnitId(db, named);
  if (unit === null) throw invalidRequest([{ field: `${place}business_unit`, message: 'names no unit' }]);
  return unit;
}

/** The id of the unit that a body says records are of; null: it says nothing. @throws AppError INVALID_REQUEST */
export async function unitIn(
  { actor, model, db }: EntityContext,
  body: RecordBody,
  place = '',
): Promise<string | null> {
  const named = readUnit(model, body, place);
  if (named === undefined) return null;
  if (actor.kind === 'member') return unitIdOf(actor, named);
  return (await findUnitId(db, named)) ?? named;
}

function readUnit(model: EntityModel, body: RecordBody, place: string): string | undefined {
  const named = showsUnit(model) ? (body.business_unit ?? undefined) : undefined;
  if (named === undefined || typeof named === 'string') return named;
  throw invalidRequest([
    { field: `${place}business_unit`, message: 'must be the id, slug or name of a unit' },
  ]);
}

/**
 * Tells why a record was not written; of one that has become what it should be in between, nothing.
 * @throws AppError NOT_FOUND, FORBIDDEN, OWNER_IMMUTABLE or WORKFLOW_REFUSED, in this order.
 */
export async function requireWritable(
  ctx: EntityContext,
  id: string,
  role: Role,
  changes: Pick<RecordChanges, 'arrival' | 'ownerId'> = { arrival: null, ownerId: null },
): Promise<void> {
  const { db, actor, model } = ctx;
  const { arrival, ownerId } = changes;
  const standing = seesRecords(ctx) ? await readStanding(db, model, id) : null;
  if (standing === null) throw new AppError(NOT_FOUND);
  if (standing.owner !== null && actor.kind === 'member') requireRole(actor.caller, standing.owner, role);
  if (ownerId !== null && standing.owner !== ownerId) throw new AppError(OWNER_IMMUTABLE);
  if (arrival !== null && model.workflow && !arrival.from.includes(standing.state))
    throw noWay(model.workflow, standing.state, arrival.to);
}
