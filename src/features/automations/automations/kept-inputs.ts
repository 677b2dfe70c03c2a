/** What runs keep of their inputs and results (docs/specification/automations.md#what-is-kept). */
import { AppError } from '../../../errors/app-error.ts';
import type { Platform } from '../../../platform.ts';
import { AUTOMATION_INPUTS } from '../../../stored-bytes/kinds.ts';
import { hasRoom } from '../../../stored-bytes/require-room.ts';
import { storedBytes } from '../../../stored-bytes/stored-bytes.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { AUTOMATION_INPUTS_FULL } from './errors.ts';

/** What a small input has at most, bytes. */
export const SMALL_INPUT = 64 * 1024;
/** The share of the quota that large inputs of runs which have succeeded may fill. */
const SHARE_OF_LARGE = 0.25;
/** The share of the quota that runs which have ended may fill; the rest is for those that wait. */
const SHARE_OF_ENDED = 0.5;
const TRY_AGAIN_SECONDS = 60;

/** What a run keeps. */
export interface KeptParts {
  /** The whole input, the whole of a small one and else nothing, or nothing. */
  readonly input: 'whole' | 'small' | 'none';
  readonly keeps_results: boolean;
}

/** Returns what a run keeps in this state: all while it waits, and as long as there is room, longest after a failure, for a replay. */
export function keptParts(platform: Platform, tenantId: string, state: string | null): KeptParts {
  if (state === 'pending') return { input: 'whole', keeps_results: true };
  const stored = storedBytes(platform);
  if (stored.hasReached(tenantId, AUTOMATION_INPUTS, SHARE_OF_ENDED))
    return { input: 'none', keeps_results: false };
  const cutsLarge = state === 'success' && stored.hasReached(tenantId, AUTOMATION_INPUTS, SHARE_OF_LARGE);
  return { input: cutsLarge ? 'small' : 'whole', keeps_results: true };
}

/** Requires room for the input of one more run. @throws AppError AUTOMATION_INPUTS_FULL. */
export async function requireInputRoom(platform: Platform, db: ScopedDb): Promise<void> {
  if (!(await hasRoom(platform, db, AUTOMATION_INPUTS)))
    throw new AppError(AUTOMATION_INPUTS_FULL, { retryAfterSeconds: TRY_AGAIN_SECONDS });
}
