import type { Feature } from '../feature.ts';
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
export { deleteEventsOf } from './queries.ts';

/** What people do on sites because of mail, as sites tell. */
export const marketingEvents: Feature = { name: 'marketing-events', reference, routes };
