/**
 * Who may read and write records: by the rules of units where units own them, else every member reads, every editor writes and
 * every admin deletes (docs/specification/records.md#entities).
 */
import { AppError } from '../../errors/app-error.ts';
import { FORBIDDEN, invalidRequest, NOT_FOUND, OWNER_IMMUTABLE } from '../../errors/platform-errors.ts';
import { ownerOfNew, readsShared, requireRole, unitIdOf } from '../../resources/ownership.ts';
import { type Caller, holdsAnywhere, type Role, roleCovers, roleIn } from '../../tenancy/caller.ts';
import type { EntityModel } from '../entities/index.ts';
import { readStanding } from './check-queries.ts';
import type { EntityContext } from './open-entity.ts';
import type { RecordBody } from './record-values.ts';
import { showsUnit } from './shown-fields.ts';
import { noWay } from './workflow.ts';
import type { RecordChanges } from './write-queries.ts';

/** Whether the caller sees records at all: without any unit nobody sees anything. */
export function seesRecords({ caller }: Pick<EntityContext, 'caller'>): boolean {
  return readsShared(caller);
}

/** @throws AppError FORBIDDEN when the caller may not do this to records of the tenant; of a unit's record its unit decides. */
export function requireWriter(ctx: EntityContext, role: Role): void {
  if (ctx.model.ownedBy === 'tenant') requireWriterOfSome(ctx, role);
}

/** @throws AppError FORBIDDEN when the caller has the role in no unit, and so may do this to no record. */
export function requireWriterOfSome({ caller }: EntityContext, role: Role): void {
  if (!holdsAnywhere(caller, role)) throw new AppError(FORBIDDEN);
}

/** Whether the caller may change what this unit owns. */
export function isWriterIn(caller: Caller, unit: string): boolean {
  const role = roleIn(caller, unit);
  return role !== null && roleCovers(role, 'editor');
}

/** The unit that will own a new record; null where the tenant does. @throws AppError by the rules of ownership. */
export function ownerOf({ caller, model }: EntityContext, body: RecordBody, place = ''): string | null {
  if (model.ownedBy === 'tenant') return null;
  return ownerOfNew({ kind: 'member', caller }, undefined, readUnit(model, body, place));
}

/** The id of the unit that a body says records are of; null: it says nothing. @throws AppError INVALID_REQUEST */
export function unitIn({ caller, model }: EntityContext, body: RecordBody, place = ''): string | null {
  const named = readUnit(model, body, place);
  return named === undefined ? null : unitIdOf({ kind: 'member', caller }, named);
}

function readUnit(model: EntityModel, body: RecordBody, place: string): string | undefined {
  const named = showsUnit(model) ? (body.business_unit ?? undefined) : undefined;
  if (named === undefined || typeof named === 'string') return named;
  throw invalidRequest([{ field: `${place}business_unit`, message: 'must be the id or slug of a unit' }]);
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
  const { db, caller, model } = ctx;
  const { arrival, ownerId } = changes;
  const standing = seesRecords(ctx) ? await readStanding(db, model, id) : null;
  if (standing === null) throw new AppError(NOT_FOUND);
  if (standing.owner !== null) requireRole(caller, standing.owner, role);
  if (ownerId !== null && standing.owner !== ownerId) throw new AppError(OWNER_IMMUTABLE);
  if (arrival !== null && model.workflow && !arrival.from.includes(standing.state))
    throw noWay(model.workflow, standing.state, arrival.to);
}
