import type { Feature } from '../feature.ts';
import { addToList, removeFromList } from './actions/lists.ts';
import { updateSubscription } from './actions/update-subscription.ts';
import { upsertSubscriber } from './actions/upsert-subscriber.ts';
import { DUPLICATE_EMAIL, INVALID_SUBSCRIBER } from './errors.ts';
import { applyImport } from './import/jobs.ts';
import { importRetention, partRetention } from './import/resource.ts';
import { preferencesRoutes } from './preferences/routes.ts';
import { reference } from './reference.ts';
import { subscriberReport } from './report.ts';
import { routes } from './routes.ts';
import { confirmationMailRetention } from './sign-up/queries.ts';
import { confirmationRoutes } from './sign-up/routes.ts';

export {
  type Definitions,
  findMergeIssue,
  findNameIssues,
  findValueIssues,
  octetsOfValues,
} from './additional-fields.ts';
export { type Choice, takeBack, turnOff } from './choices.ts';
export { subscriberErasure } from './erasure.ts';
export {
  type AskedAudience,
  findPeopleAt,
  findPersonAt,
  type HeldPerson,
  holdNextPeople,
  holdPeople,
  type KeptPerson,
  keepPeople,
  keepPeopleAsTheyAre,
  matchPeople,
  PEOPLE,
  readPeopleFilters,
} from './matching.ts';
export { type Merge, mergeSubscribers } from './merging.ts';
export { preferencesUrl } from './preferences/token.ts';
export { listAskedFor, listLeftTypes } from './queries.ts';
export { getSubscriber } from './service.ts';
export {
  applySignUp,
  type PreparedSignUp,
  prepareSignUp,
  type SignUp,
  type SignUpOutcome,
} from './sign-up/sign-up.ts';
export { requireConfirmationTemplate } from './sign-up/template-check.ts';

/** People who receive marketing mail. */
export const subscribers: Feature = {
  name: 'subscribers',
  reference,
  routes: [...routes, ...preferencesRoutes, ...confirmationRoutes],
  jobs: [applyImport],
  retentions: [confirmationMailRetention, importRetention, partRetention],
  reports: [subscriberReport],
  actionTypes: [upsertSubscriber, updateSubscription, addToList, removeFromList],
  errors: [INVALID_SUBSCRIBER, DUPLICATE_EMAIL],
};
