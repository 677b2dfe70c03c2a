import type { Feature } from '../feature.ts';
import { DUPLICATE_UID, NOT_REPEATABLE } from './errors.ts';
import { reference } from './reference.ts';
import { documents as resource } from './resource.ts';
import { routes } from './routes.ts';

export { type DocumentPlace, findPlace } from './queries.ts';

/** The documents of projects: what websites show. */
export const documents: Feature = {
  name: 'documents',
  reference,
  routes,
  restores: [{ resource, by: 'documents.put' }],
  projectContents: [{ resource }],
  errors: [DUPLICATE_UID, NOT_REPEATABLE],
};
