import { createRouter } from '@tanstack/react-router';
import { CONSOLE_PATH } from './base-path.ts';
import { FEATURES } from './features/index.ts';
import { rootRoute, tenantRoute } from './routes.ts';
import { Missing } from './shell/missing.tsx';
import { Root } from './shell/root.tsx';
import { RouteError } from './shell/route-error.tsx';
import { TenantLayout } from './shell/tenant-layout.tsx';

const routes = FEATURES.flatMap((feature) => feature.routes);
const isOfTenant = (route: (typeof routes)[number]) => route.options.getParentRoute() === tenantRoute;

/** Creates the router of the screens of all features. */
export function createConsoleRouter() {
  rootRoute.update({ component: Root });
  tenantRoute.update({ component: TenantLayout });
  const ofTenant = tenantRoute.addChildren(routes.filter(isOfTenant));
  return createRouter({
    routeTree: rootRoute.addChildren([ofTenant, ...routes.filter((route) => !isOfTenant(route))]),
    basepath: CONSOLE_PATH,
    defaultPreload: 'intent',
    defaultNotFoundComponent: Missing,
    defaultErrorComponent: RouteError,
    scrollRestoration: true,
  });
}
