import type { Feature } from '../feature.ts';
import { reference } from './reference.ts';
import { routes } from './routes.ts';

export {
  audienceNameOf,
  countMembers,
  findGroupIssues,
  type GroupChange,
  type Groups,
  groupIdsOf,
  inGroups,
  listVisibleGroups,
  replaceGroups,
} from './members.ts';

/** Lists and audiences: the groups that subscribers are in. */
export const subscriberGroups: Feature = { name: 'subscriber-groups', reference, routes };
