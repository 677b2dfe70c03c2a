import type { Feature } from '../feature.ts';
import { activity } from './activity/index.ts';
import { apiKeys } from './api-keys/index.ts';
import { businessUnits } from './business-units/index.ts';
import { drafts } from './drafts/index.ts';
import { invitations } from './invitations/index.ts';
import { memberships } from './memberships/index.ts';
import { passwordResets } from './password-resets/index.ts';
import { sessions } from './sessions/index.ts';
import { views } from './views/index.ts';

export { entityHistory, restorersOf } from './entity-history/index.ts';
export { recordSearch } from './record-search/index.ts';

/** Users, units and credentials of a tenant, and the history of its records. */
export const tenancyFeatures: readonly Feature[] = [
  businessUnits,
  memberships,
  invitations,
  apiKeys,
  sessions,
  passwordResets,
  views,
  drafts,
  activity,
];
