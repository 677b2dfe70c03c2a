import type { Feature } from '../../feature.ts';
import { examples } from './examples.ts';
import { routes } from './routes.ts';

export { keepSharedViews } from './queries.ts';

/** Views of lists that members save in the console. */
export const views: Feature = {
  name: 'views',
  examples,
  tags: {
    'Saved views': 'Search, filters and columns of a list under a name, for oneself or for all members.',
  },
  routes,
};
