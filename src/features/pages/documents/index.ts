import { searchOf } from '../../../resources/record-search.ts';
import type { Feature } from '../../feature.ts';
import { documentBulk } from './bulk.ts';
import { DUPLICATE_UID, NOT_REPEATABLE } from './errors.ts';
import { examples } from './examples.ts';
import { documents as resource } from './resource.ts';
import { routes } from './routes.ts';

export { findModelAndUid } from './queries.ts';

/** Documents of projects: the content of websites. */
export const documents: Feature = {
  name: 'documents',
  examples,
  tags: {
    'Pages: documents': 'Content of websites. Tessera stores it without interpreting it.',
  },
  routes,
  bulks: [documentBulk],
  searches: [searchOf(resource)],
  restores: [{ resource, createdBy: 'documents.put' }],
  projectContents: [{ resource }],
  errors: [DUPLICATE_UID, NOT_REPEATABLE],
};
