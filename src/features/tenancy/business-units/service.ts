import type { Static } from 'typebox';
import { AppError } from '../../../errors/app-error.ts';
import { FORBIDDEN, NOT_FOUND, ruleBroken, VERSION_CONFLICT } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import { recordVersions } from '../../../resources/history.ts';
import { changeRecord, createRecord, getRecord } from '../../../resources/records.ts';
import type { Writer } from '../../../resources/statements.ts';
import { signActiveUnit } from '../../../tenancy/active-unit.ts';
import { type Caller, roleIn } from '../../../tenancy/caller.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { lockTenant } from '../../../tenancy/tenant-row.ts';
import { DEFAULT_BUSINESS_UNIT } from './errors.ts';
import { insertDefaultUnit, listActiveUnitIds, listArchivedUnits, listSlugs } from './queries.ts';
import { units } from './resource.ts';
import type { Activation, UnitCreate } from './schema.ts';
import { freeSlug, slugOf, stemOf } from './slug.ts';

/**
 * Creates the Default unit of a new tenant and returns its id. It takes two statements, because inserts of history need
 * this unit (src/tenancy/tenant-row.ts).
 */
export async function createDefaultUnit({ actor, db, now }: Writer): Promise<string> {
  const unit = await insertDefaultUnit(db, now);
  const { bu_id, version } = unit;
  const recorded = { version, recordedAt: now, ownerBuId: bu_id, data: units.view(unit) };
  await recordVersions({ actor, db }, [{ entityType: 'business_unit', sortKey: bu_id, ...recorded }]);
  return bu_id;
}

type ListedUnit = Static<typeof units.listReply>;

/** Maximum number of active units of a tenant: one response lists them all, and each request of an owner loads them. */
const MAX_UNITS = 1000;

/** Creates a unit and returns its id. @throws AppError DUPLICATE_SLUG, or VALIDATION_ERROR if there are too many. */
export async function createUnit(ctx: MemberContext, body: Static<typeof UnitCreate>): Promise<string> {
  const { name, slug } = body;
  // The lock prevents concurrent creations from choosing the same slug.
  await lockTenant(ctx.db);
  await requireUnitLimit(ctx.db, 'name');
  const columns = { name, slug: slug ?? (await findFreeSlug(ctx.db, name)), is_default: false };
  return (await createRecord(ctx, units, columns)).bu_id;
}

/** Lists the units in which a caller has a role. */
export function listAuthorized(caller: Caller): ListedUnit[] {
  return caller.units.map(({ buId, name, slug, isDefault }) => ({
    bu_id: buId,
    name,
    slug,
    is_default: isDefault,
  }));
}

/** Lists the archived units of the tenant. @throws AppError FORBIDDEN if the caller is not an owner. */
export async function listArchived({ caller, db }: MemberContext): Promise<ListedUnit[]> {
  if (!caller.isTenantAdmin) throw new AppError(FORBIDDEN);
  return (await listArchivedUnits(db)).map(units.listView);
}

/** Returns a unit. @throws AppError NOT_FOUND, also for an archived one. */
export async function getUnit({ db }: MemberContext, buId: string) {
  const unit = await getRecord(db, units, buId);
  if (unit.archived_at !== null) throw new AppError(NOT_FOUND);
  return units.view(unit);
}

/**
 * Renames or archives a unit. Its records are then hidden from reads, and callers lose access; nothing is deleted.
 * @throws AppError NOT_FOUND, also for an archived one, DEFAULT_BUSINESS_UNIT or VERSION_CONFLICT.
 */
export async function changeUnit(
  ctx: MemberContext,
  buId: string,
  change: { readonly name: string } | { readonly archived_at: Date },
  version?: number,
): Promise<{ bu_id: string }> {
  await changeRecord(ctx, units, buId, {}, (unit) => {
    if (unit.archived_at !== null) throw new AppError(NOT_FOUND);
    if (unit.is_default) throw new AppError(DEFAULT_BUSINESS_UNIT);
    if (version !== undefined && version !== unit.version) throw new AppError(VERSION_CONFLICT);
    return change;
  });
  return { bu_id: buId };
}

/** Restores an archived unit. @throws AppError NOT_FOUND, or VALIDATION_ERROR if there are too many active units. */
export async function restoreUnit(ctx: MemberContext, buId: string): Promise<{ bu_id: string }> {
  await lockTenant(ctx.db);
  const { archived_at } = await getRecord(ctx.db, units, buId);
  if (archived_at === null) return { bu_id: buId };
  await requireUnitLimit(ctx.db, 'bu_id');
  await changeRecord(ctx, units, buId, {}, () => ({ archived_at: null }));
  return { bu_id: buId };
}

async function requireUnitLimit(db: ScopedDb, field: string): Promise<void> {
  if ((await listActiveUnitIds(db)).length >= MAX_UNITS)
    throw ruleBroken(field, `exceeds the limit of ${MAX_UNITS} active units per tenant; archive one first`);
}

/**
 * Returns a token that makes a unit the caller's Active unit for 12 hours. @throws AppError NOT_FOUND without a role
 * there.
 */
export function activateUnit(ctx: MemberContext, buId: string): Static<typeof Activation> {
  if (roleIn(ctx.caller, buId) === null) throw new AppError(NOT_FOUND);
  const { token, expiresAt } = signActiveUnit(ctx.platform.tokens, ctx.caller, buId, ctx.now);
  return { token, bu_id: buId, expires_at: expiresAt.toISOString() };
}

async function findFreeSlug(db: ScopedDb, name: string): Promise<string> {
  const base = slugOf(name);
  return freeSlug(base, await listSlugs(db, stemOf(base)));
}
