import type { Feature } from '../feature.ts';
import { DUPLICATE_REDIRECT } from './errors.ts';
import { reference } from './reference.ts';
import { routes } from './routes.ts';
import { redirectContents } from './service.ts';

/** Where requests of websites are led instead. */
export const redirects: Feature = {
  name: 'redirects',
  reference,
  routes,
  projectContents: [redirectContents],
  errors: [DUPLICATE_REDIRECT],
};
