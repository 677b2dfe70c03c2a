/** Whether people meet the filters of a branch, asked for many of them at once. */
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { compileFilters } from '../../computed-audiences/index.ts';
import { getEmailSettings } from '../../email-settings/index.ts';
import { matchPeople } from '../../subscribers/index.ts';
import type { StepOf } from '../schema.ts';
import { Together } from './together.ts';

const branches = oncePerPlatform(() => new Together<string, boolean>());

/** Stands for the filters among the audiences that people are matched with. */
const ASKED = '00000000-0000-0000-0000-000000000000';

/** Which branch of which journey. */
export interface BranchRef {
  readonly tenantId: string;
  /** Names the version. */
  readonly planKey: string;
  readonly step: StepOf<'branch'>;
}

/** Whether somebody meets the filters now. */
export function meetsFilters(
  platform: Platform,
  { tenantId, planKey, step }: BranchRef,
  subscriberId: string,
): Promise<boolean> {
  return branches(platform).ask(`${tenantId}/${planKey}/${step.key}`, subscriberId, async (ids) => {
    const db = platform.scoped(wholeTenant(tenantId));
    const { subscriber_additional_fields: definitions } = await getEmailSettings(db);
    const { conditions } = compileFilters(step.filters, definitions, platform.clock(), false);
    const standings = await matchPeople(db, ids, [{ id: ASKED, conditions }]);
    const met = new Set(standings.filter((each) => each.met === '1').map(({ id }) => id));
    return ids.map((id) => met.has(id));
  });
}
