/** Decides which inputs and results runs keep (docs/specification/automations.md#what-is-kept). */
import { AppError } from '../../../errors/app-error.ts';
import type { Platform } from '../../../platform.ts';
import { AUTOMATION_INPUTS } from '../../../stored-bytes/kinds.ts';
import { hasStorageQuota } from '../../../stored-bytes/storage-quota.ts';
import { storedBytes } from '../../../stored-bytes/stored-bytes.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { AUTOMATION_INPUTS_FULL } from './errors.ts';

/** Maximum size of a small input, in bytes. */
export const SMALL_INPUT_BYTES = 64 * 1024;
/** Share of the quota for large inputs of succeeded runs. */
const LARGE_INPUT_SHARE = 0.25;
/** Share of the quota for ended runs. The rest is for waiting runs. */
const ENDED_RUN_SHARE = 0.5;
const RETRY_AFTER_SECONDS = 60;

/** The data that a run keeps. */
export interface KeptParts {
  /** `small` keeps the whole input only if it is small. */
  readonly input: 'whole' | 'small' | 'none';
  readonly keeps_results: boolean;
}

/**
 * Returns the data that a run keeps in a state. A waiting run keeps everything. Ended runs keep their input for replays
 * while their share of the quota lasts; inputs of failed runs have a larger share.
 */
export function keptParts(platform: Platform, tenantId: string, state: string | null): KeptParts {
  if (state === 'pending') return { input: 'whole', keeps_results: true };
  const stored = storedBytes(platform);
  if (stored.hasReached(tenantId, AUTOMATION_INPUTS, ENDED_RUN_SHARE))
    return { input: 'none', keeps_results: false };
  const cutsLarge = state === 'success' && stored.hasReached(tenantId, AUTOMATION_INPUTS, LARGE_INPUT_SHARE);
  return { input: cutsLarge ? 'small' : 'whole', keeps_results: true };
}

/** Requires that the quota allows the input of one more run. @throws AppError AUTOMATION_INPUTS_FULL. */
export async function requireInputQuota(platform: Platform, db: ScopedDb): Promise<void> {
  if (!(await hasStorageQuota(platform, db, AUTOMATION_INPUTS)))
    throw new AppError(AUTOMATION_INPUTS_FULL, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
