import type { Feature } from '../../feature.ts';
import { DUPLICATE_REDIRECT } from './errors.ts';
import { reference } from './reference.ts';
import { redirects as redirectRecords } from './resource.ts';
import { routes } from './routes.ts';
import { redirectContents } from './service.ts';

/** Redirects of websites. */
export const redirects: Feature = {
  name: 'redirects',
  reference,
  routes,
  restores: [{ resource: redirectRecords, by: 'redirects.create' }],
  projectContents: [redirectContents],
  errors: [DUPLICATE_REDIRECT],
};
