import type { Feature } from '../feature.ts';
import { DUPLICATE_EMAIL, INVALID_SUBSCRIBER } from './errors.ts';
import { preferencesRoutes } from './preferences/routes.ts';
import { reference } from './reference.ts';
import { routes } from './routes.ts';

export { type Choice, chooseSubscriptions, turnOff } from './choices.ts';
export { preferencesUrl } from './preferences/token.ts';
export { getSubscriber } from './service.ts';

/** People who receive marketing mail. */
export const subscribers: Feature = {
  name: 'subscribers',
  reference,
  routes: [...routes, ...preferencesRoutes],
  errors: [INVALID_SUBSCRIBER, DUPLICATE_EMAIL],
};
