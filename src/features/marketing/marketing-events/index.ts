import { subscriberErasure } from '../../contacts/api.ts';
import type { Feature } from '../../feature.ts';
import { examples } from './examples.ts';
import { deleteEventsOf } from './queries.ts';
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
  examples,
  tags: {
    'Marketing events': 'Page views, purchases and time on site, attributed to emails.',
  },
  routes,
  extensions: [subscriberErasure.with(deleteEventsOf)],
};
