import { AppError } from '../../errors/app-error.ts';
import { NOT_FOUND, VERSION_CONFLICT } from '../../errors/platform-errors.ts';
import type { MemberContext } from '../../http/context.ts';
import { isUuid } from '../../resources/keys.ts';
import { writerOf } from '../../resources/records.ts';
import { signActiveUnit } from '../../tenancy/active-unit.ts';
import { roleIn } from '../../tenancy/caller.ts';
import type { BusinessUnitRow } from '../../tenancy/identity-tables.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { DEFAULT_BUSINESS_UNIT, DUPLICATE_SLUG } from './errors.ts';
import { insertUnit, listSlugs, lockActiveUnit, updateUnit } from './queries.ts';
import { freeSlug, slugOf, stemOf } from './slug.ts';
import { recordUnit } from './unit-history.ts';

/** Slugs that are tried for a unit without one, while others take them at the same time. */
const SLUG_TRIES = 20;

/** Creates a unit and returns its id. @throws AppError DUPLICATE_SLUG. */
export async function createUnit(
  ctx: MemberContext,
  body: { readonly name: string; readonly slug?: string },
): Promise<string> {
  const { db, now } = ctx;
  const { name, slug } = body;
  const unit =
    slug === undefined
      ? await insertUnderFreeSlug(db, now, name)
      : await insertUnit(db, now, { name, slug, isDefault: false });
  if (unit === null) throw new AppError(DUPLICATE_SLUG);
  await recordUnit(writerOf(ctx), unit);
  return unit.bu_id;
}

/** Renames a unit; its slug stays. @throws AppError NOT_FOUND, DEFAULT_BUSINESS_UNIT or VERSION_CONFLICT. */
export async function renameUnit(
  ctx: MemberContext,
  buId: string,
  body: { readonly name: string; readonly version?: number },
): Promise<void> {
  await changeUnit(ctx, buId, body.version, { name: body.name });
}

/**
 * Archives a unit: it leaves the authorized sets, and its records leave reads; nothing is deleted.
 * @throws AppError NOT_FOUND or DEFAULT_BUSINESS_UNIT.
 */
export async function archiveUnit(ctx: MemberContext, buId: string): Promise<void> {
  await changeUnit(ctx, buId, undefined, { archived_at: ctx.now.toISOString() });
}

/** Makes the unit the caller's Active one for 12 hours. @throws AppError NOT_FOUND when not authorized there. */
export function activateUnit(ctx: MemberContext, buId: string): { token: string; expires_at: string } {
  if (roleIn(ctx.caller, buId) === null) throw new AppError(NOT_FOUND);
  const { token, expiresAt } = signActiveUnit(ctx.platform.tokens, ctx.caller, buId, ctx.now);
  return { token, expires_at: expiresAt.toISOString() };
}

async function changeUnit(
  ctx: MemberContext,
  buId: string,
  version: number | undefined,
  change: Parameters<typeof updateUnit>[3],
): Promise<void> {
  const { db, now } = ctx;
  if (!isUuid(buId)) throw new AppError(NOT_FOUND);
  const unit = await lockActiveUnit(db, buId);
  if (!unit) throw new AppError(NOT_FOUND);
  if (unit.is_default) throw new AppError(DEFAULT_BUSINESS_UNIT);
  if (version !== undefined && version !== unit.version) throw new AppError(VERSION_CONFLICT);
  await recordUnit(writerOf(ctx), await updateUnit(db, now, unit, change));
}

/** Tries again when a unit made at the same time took the slug first; null when that goes on. */
async function insertUnderFreeSlug(tx: ScopedDb, now: Date, name: string): Promise<BusinessUnitRow | null> {
  const base = slugOf(name);
  for (let tries = 0; tries < SLUG_TRIES; tries += 1) {
    const slug = freeSlug(base, await listSlugs(tx, stemOf(base)));
    const unit = await insertUnit(tx, now, { name, slug, isDefault: false });
    if (unit !== null) return unit;
  }
  return null;
}
