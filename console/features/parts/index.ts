import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { draftTexts } from '../../drafts/texts.ts';
import type { Feature } from '../../feature.ts';
import { rootRoute } from '../../routes.ts';
import { loadTableTexts } from '../../table/load-texts.ts';

/** The server marks its page if its environment is `Local`. */
const isDevelopment = 'development' in document.documentElement.dataset;

const route = createRoute({
  getParentRoute: () => rootRoute,
  path: 'dev/parts',
  loader: () => Promise.all([draftTexts.load(), loadTableTexts()]),
  component: lazyRouteComponent(() => import('./parts.tsx'), 'Parts'),
});

/** The page that shows all components in all their states, for developers. */
export const parts: Feature = { routes: isDevelopment ? [route] : [] };
