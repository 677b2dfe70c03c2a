import { subscriberErasure } from '../../contacts/api.ts';
import type { Feature } from '../../feature.ts';
import { deleteEventsOf } from './queries.ts';
import { reference } from './reference.ts';
import { routes } from './routes.ts';

export {
  type Behaviour,
  behaviourKey,
  listBehaviour,
  NO_BEHAVIOUR,
  NO_PURCHASES,
  type Purchases,
  sumPurchases,
} from './behaviour.ts';

/** Page views and purchases that sites report after a subscriber followed a link of a mail. */
export const marketingEvents: Feature = {
  name: 'marketing-events',
  reference,
  routes,
  extensions: [subscriberErasure.with(deleteEventsOf)],
};
