import type { Feature } from '../../feature.ts';
import { examples } from './examples.ts';
import { draftRetention } from './queries.ts';
import { routes } from './routes.ts';

/** Unsaved changes that members keep on the server. */
export const drafts: Feature = {
  name: 'drafts',
  examples,
  tags: { Drafts: 'Unsaved changes of an item, for oneself or for all who can see it.' },
  routes,
  retentions: [draftRetention],
};
