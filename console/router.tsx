import { createRouter } from '@tanstack/react-router';
import { FEATURES } from './features/index.ts';
import { rootRoute, tenantRoute } from './routes.ts';

const routes = FEATURES.flatMap((feature) => feature.routes);
const isOfTenant = (route: (typeof routes)[number]) => route.options.getParentRoute() === tenantRoute;

/** Opens the screens of all features. `basepath` is the path of the console, for example `/console`. */
export function createConsoleRouter(basepath: string) {
  const ofTenant = tenantRoute.addChildren(routes.filter(isOfTenant));
  return createRouter({
    routeTree: rootRoute.addChildren([ofTenant, ...routes.filter((route) => !isOfTenant(route))]),
    basepath,
    defaultPreload: 'intent',
    scrollRestoration: true,
  });
}
