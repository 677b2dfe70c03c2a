/**
 * Permissions for records. If units own them, roles in units decide; otherwise members read, editors write and admins
 * delete (docs/specification/records.md#entities). Automations may do all of this.
 */
import { AppError } from '../../../errors/app-error.ts';
import { FORBIDDEN, invalidRequest, NOT_FOUND, OWNER_IMMUTABLE } from '../../../errors/platform-errors.ts';
import { ownerOfNew, readsShared, requireRole, unitIdOf } from '../../../resources/ownership.ts';
import { hasRoleInAnyUnit, type Role, roleCovers, roleIn } from '../../../tenancy/caller.ts';
import { findUnitId, getDefaultUnitId } from '../../tenancy/api.ts';
import type { EntityModel } from '../entities/index.ts';
import { readWriteAccess } from './check-queries.ts';
import type { EntityContext, RecordsActor } from './entity-context.ts';
import type { RecordBody } from './record-values.ts';
import { showsUnit } from './shown-fields.ts';
import type { RecordChanges } from './update-queries.ts';
import { noTransition } from './workflow.ts';

/** Returns true if the actor sees any records: a user without a unit sees none. */
export function seesRecords({ actor }: Pick<EntityContext, 'actor'>): boolean {
  return actor.kind !== 'member' || readsShared(actor.caller);
}

/**
 * @throws AppError FORBIDDEN if the actor may not do this to records of the tenant. For unit-owned records the unit
 * decides later.
 */
export function requireWriter(ctx: EntityContext, role: Role): void {
  if (ctx.model.ownedBy === 'tenant') requireWriterOfSome(ctx, role);
}

/** @throws AppError FORBIDDEN if the user has this role in no unit. */
export function requireWriterOfSome({ actor }: EntityContext, role: Role): void {
  if (actor.kind === 'member' && !hasRoleInAnyUnit(actor.caller, role)) throw new AppError(FORBIDDEN);
}

/** Returns true if the actor may change records of this unit. */
export function isWriterIn(actor: RecordsActor, unit: string): boolean {
  if (actor.kind !== 'member') return true;
  const role = roleIn(actor.caller, unit);
  return role !== null && roleCovers(role, 'editor');
}

/** Returns true if the actor sees the records of all units, so that no check is necessary. */
export function reachesAllUnits(actor: RecordsActor): boolean {
  return actor.kind !== 'member' || actor.caller.reachesAllUnits;
}

/**
 * Returns the unit that will own a new record; null if the tenant owns it. An automation uses the unit from the body,
 * otherwise the default unit.
 * @throws AppError INVALID_REQUEST, and the errors of `ownerOfNew`.
 */
export async function ownerOf(ctx: EntityContext, body: RecordBody, pathPrefix = ''): Promise<string | null> {
  const { actor, model, db } = ctx;
  if (model.ownedBy === 'tenant') return null;
  const unitName = readUnit(model, body, pathPrefix);
  if (actor.kind === 'member') return ownerOfNew(actor, undefined, unitName);
  if (unitName === undefined) return getDefaultUnitId(db);
  const unit = await findUnitId(db, unitName);
  if (unit === null)
    throw invalidRequest([
      { field: `${pathPrefix}business_unit`, message: 'must reference an existing unit' },
    ]);
  return unit;
}

/** Returns the id of the unit in a body; null if there is none. @throws AppError INVALID_REQUEST. */
export async function unitIn(
  { actor, model, db }: EntityContext,
  body: RecordBody,
  pathPrefix = '',
): Promise<string | null> {
  const unit = readUnit(model, body, pathPrefix);
  if (unit === undefined) return null;
  if (actor.kind === 'member') return unitIdOf(actor, unit);
  return (await findUnitId(db, unit)) ?? unit;
}

function readUnit(model: EntityModel, body: RecordBody, pathPrefix: string): string | undefined {
  const unit = showsUnit(model) ? (body.business_unit ?? undefined) : undefined;
  if (unit === undefined || typeof unit === 'string') return unit;
  throw invalidRequest([
    { field: `${pathPrefix}business_unit`, message: 'must be the id, slug or name of a unit' },
  ]);
}

/**
 * Throws the reason why a record was not written. Does not throw if the write would succeed now.
 * @throws AppError NOT_FOUND, FORBIDDEN, OWNER_IMMUTABLE or WORKFLOW_REFUSED, in this order.
 */
export async function requireWritable(
  ctx: EntityContext,
  id: string,
  role: Role,
  changes: Pick<RecordChanges, 'move' | 'ownerId'> = { move: null, ownerId: null },
): Promise<void> {
  const { db, actor, model } = ctx;
  const { move, ownerId } = changes;
  const access = seesRecords(ctx) ? await readWriteAccess(db, model, id) : null;
  if (access === null) throw new AppError(NOT_FOUND);
  if (access.owner !== null && actor.kind === 'member') requireRole(actor.caller, access.owner, role);
  if (ownerId !== null && access.owner !== ownerId) throw new AppError(OWNER_IMMUTABLE);
  if (move !== null && model.workflow && !move.from.includes(access.state))
    throw noTransition(model.workflow, access.state, move.to);
}
