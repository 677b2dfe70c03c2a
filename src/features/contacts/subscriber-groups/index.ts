import { searchOf } from '../../../resources/record-search.ts';
import { subscriberFieldsChange } from '../../email-settings/api.ts';
import type { Feature } from '../../feature.ts';
import { recomputeAfterFieldChange } from './computations.ts';
import { examples } from './examples.ts';
import { audiences, lists } from './resource.ts';
import { routes } from './routes.ts';
import { findUsingAudiences, groupUsage } from './usage.ts';

export {
  AUDIENCE_CHANGES,
  AUDIENCE_COMPUTATIONS,
  areMembersCurrent,
  dropComputation,
  findFailedAudiences,
  finishComputation,
  listTenantsToSweep,
  type Problems,
  queueChanges,
  requestComputation,
  requestComputationsUsing,
  saveProgress,
  saveSweptUntil,
  type Uses,
} from './computations.ts';
export {
  applyMembers,
  audiencesOf,
  type ComputedAudience,
  findComputedAudiences,
  findComputedIds,
  type MemberChange,
} from './computed-members.ts';
export {
  audienceNameOf,
  countMembers,
  findGroupIssues,
  findRecipientGroupIssues,
  type Groups,
  groupIdsOf,
  inGroups,
  inManualAudiences,
  listGroupsOf,
  listMemberships,
  listVisibleGroups,
  lockGroupsOf,
  lockVisibleGroups,
  memberCounter,
  removeMembers,
} from './members.ts';
export {
  changeGroups,
  joinGroups,
  leaveGroups,
  replaceGroups,
} from './membership-changes.ts';
export { type AudienceBody, AudienceFilters, type AudienceRow, audiences, lists } from './resource.ts';
export * as signalQueue from './signals.ts';
export { isWatched, writeSignals } from './signals.ts';
export { groupUsage } from './usage.ts';
export { groupUses, refuseUsedGroup } from './uses.ts';

/** Lists and audiences of subscribers. */
export const subscriberGroups: Feature = {
  name: 'subscriber-groups',
  examples,
  tags: {
    'Lists and audiences':
      'Groups of subscribers for campaigns. Each subscriber contains the ids of its lists.',
  },
  routes,
  searches: [searchOf(lists), searchOf(audiences)],
  restores: [
    {
      resource: lists,
      createdBy: 'lists.create',
      notRestored: 'The list is empty: its members are not part of history.',
    },
  ],
  extensions: [groupUsage.with(findUsingAudiences), subscriberFieldsChange.with(recomputeAfterFieldChange)],
};
