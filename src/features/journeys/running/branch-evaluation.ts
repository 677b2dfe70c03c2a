/** Evaluation of branch filters for many subscribers with one query. */

import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { compileFilters, matchSubscribers } from '../../contacts/api.ts';
import { getEmailSettings } from '../../email-settings/api.ts';
import type { StepOf } from '../schema.ts';
import { BatchLoader } from './batch-loader.ts';

const branches = oncePerPlatform(() => new BatchLoader<string, boolean>());

/** Placeholder id for the branch's filters: `matchSubscribers` takes filters of audiences. */
const FILTERS_ID = '00000000-0000-0000-0000-000000000000';

/** A branch of a journey version. */
export interface BranchRef {
  readonly tenantId: string;
  /** Key of the version, from `planKey`. */
  readonly planKey: string;
  readonly step: StepOf<'branch'>;
}

/** Returns true if the subscriber meets the filters now. */
export function meetsFilters(
  platform: Platform,
  { tenantId, planKey, step }: BranchRef,
  subscriberId: string,
): Promise<boolean> {
  return branches(platform).load(`${tenantId}/${planKey}/${step.key}`, subscriberId, async (ids) => {
    const db = platform.scoped(wholeTenant(tenantId));
    const { subscriber_additional_fields: definitions } = await getEmailSettings(db);
    const { conditions } = compileFilters(step.filters, definitions, platform.clock(), false);
    const matches = await matchSubscribers(db, ids, [{ id: FILTERS_ID, conditions }]);
    // `met` has one digit for each audience: `1` if the subscriber meets its filters.
    const met = new Set(matches.filter((each) => each.met === '1').map(({ id }) => id));
    return ids.map((id) => met.has(id));
  });
}
