import { AppError } from '../errors/app-error.ts';
import { RATE_LIMITED } from '../errors/platform-errors.ts';
import type { Platform } from '../platform.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import type { StoredKind } from './kinds.ts';
import { storedBytes } from './stored-bytes.ts';

const TRY_AGAIN_SECONDS = 600;

/** Returns true if the tenant of `db` has not used up its quota of a kind. */
export async function hasStorageQuota(platform: Platform, db: ScopedDb, kind: StoredKind): Promise<boolean> {
  const counters = storedBytes(platform);
  await counters.read(db, kind);
  return !counters.hasReached(db.tenantId, kind, 1);
}

/** Requires room for something that expires by itself. @throws AppError RATE_LIMITED when the quota is used up. */
export async function requireStorageQuota(platform: Platform, db: ScopedDb, kind: StoredKind): Promise<void> {
  if (await hasStorageQuota(platform, db, kind)) return;
  const quotaMib = kind.quota(platform.config) / (1024 * 1024);
  const message = `The tenant has used up its ${quotaMib} MiB for ${kind.what}. Try again later, when older ones have expired.`;
  throw new AppError(RATE_LIMITED, { message, retryAfterSeconds: TRY_AGAIN_SECONDS });
}
