import type { Feature } from '../feature.ts';
import { IN_USE } from './errors.ts';
import { reference } from './reference.ts';
import { routes } from './routes.ts';

export {
  audienceNameOf,
  countMembers,
  findGroupIssues,
  type GroupChange,
  type Groups,
  groupIdsOf,
  holdGroupsOf,
  inGroups,
  joinGroups,
  listVisibleGroups,
  replaceGroups,
} from './members.ts';
export { registerGroupUse } from './uses.ts';

/** Lists and audiences: the groups that subscribers are in. */
export const subscriberGroups: Feature = {
  name: 'subscriber-groups',
  reference,
  routes,
  errors: [IN_USE],
};
