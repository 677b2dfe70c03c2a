import { searchOf } from '../../../resources/record-search.ts';
import type { Feature } from '../../feature.ts';
import { addToList, removeFromList } from './actions/lists.ts';
import { updateSubscription } from './actions/update-subscription.ts';
import { upsertSubscriber } from './actions/upsert-subscriber.ts';
import { subscriberBulk } from './bulk.ts';
import { DUPLICATE_EMAIL, INVALID_SUBSCRIBER } from './errors.ts';
import { examples } from './examples.ts';
import { subscriberImport } from './import/jobs.ts';
import { importRetention, partRetention } from './import/resource.ts';
import { preferencesRoutes } from './preferences/routes.ts';
import { subscriberReport } from './report.ts';
import { subscribers as subscriberRecords } from './resource.ts';
import { routes } from './routes.ts';
import { confirmationMailRetention } from './sign-up/queries.ts';
import { confirmationRoutes } from './sign-up/routes.ts';

export * as additionalFields from './additional-fields.ts';
export { type Choice, undoUnsubscribe, unsubscribe } from './choices.ts';
export { subscriberErasure } from './erasure.ts';
export {
  type AudienceConditions,
  countMatching,
  matchSubscribers,
  readSubscriberFilters,
  SUBSCRIBERS,
  subscriberValue,
} from './matching.ts';
export { mergeSubscribers, type SubscriberMerge } from './merging.ts';
export { preferencesUrl } from './preferences/token.ts';
export {
  findSubscriberByAddress,
  findSubscribersByAddress,
  listSample,
  listSubscriptions,
  listUnsubscribedTypes,
} from './queries.ts';
export * as subscriberLocks from './row-locks.ts';
export { getSubscriber } from './service.ts';
export * as signUps from './sign-up/sign-up.ts';
export { isUnsubscribed } from './unsubscribed-condition.ts';

/** Subscribers of marketing mail. */
export const subscribers: Feature = {
  name: 'subscribers',
  examples,
  tags: {
    Subscribers: 'Contacts for marketing mail: lists, data, preferences.',
  },
  routes: [...routes, ...preferencesRoutes, ...confirmationRoutes],
  searches: [
    searchOf(subscriberRecords, { title: ['first_name', 'last_name'], subtitle: 'email', address: 'email' }),
  ],
  operations: [subscriberImport],
  bulks: [subscriberBulk],
  retentions: [confirmationMailRetention, importRetention, partRetention],
  reports: [subscriberReport],
  actionTypes: [upsertSubscriber, updateSubscription, addToList, removeFromList],
  errors: [INVALID_SUBSCRIBER, DUPLICATE_EMAIL],
};
