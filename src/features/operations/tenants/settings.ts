/** Settings of a tenant that its owners change. The operator changes name and brand as well (`changes.ts`). */
import { AppError } from '../../../errors/app-error.ts';
import { VERSION_CONFLICT } from '../../../errors/platform-errors.ts';
import { isZone } from '../../../flows/time-zones.ts';
import { check } from '../../../http/body-checks.ts';
import { getTenant } from '../../../tenancy/find-tenant.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { updateTenant } from './queries.ts';
import type { TenantSettings, TenantSettingsUpdate } from './schema.ts';

/** Rejects a time zone that does not exist. */
export const checkTimeZone = check<TenantSettingsUpdate>(['time_zone'], ({ time_zone }) =>
  isZone(time_zone)
    ? []
    : [{ field: 'time_zone', message: 'must be the name of a time zone, such as Europe/Berlin' }],
);

/** Returns the settings of the tenant. */
export async function readSettings(db: ScopedDb): Promise<TenantSettings> {
  const { name, brand_settings, time_zone, session_hours, version } = await getTenant(db);
  return { name, brand_settings, time_zone, session_hours, version };
}

/** Replaces the settings of the tenant. @throws AppError VERSION_CONFLICT. */
export async function replaceSettings(
  db: ScopedDb,
  { version: expected, ...settings }: TenantSettingsUpdate,
): Promise<{ version: number }> {
  const version = await updateTenant(db, settings, expected);
  if (version === undefined) throw new AppError(VERSION_CONFLICT);
  return { version };
}
