/** The routes that screens are attached to. Screens are below `t/$tenant` unless they concern the user alone. */
import { createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';

/** Everything below `/console`. */
export const rootRoute = createRootRoute();

/** Screens of a tenant: with navigation, and with the business unit in `?unit`. */
export const tenantRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 't/$tenant',
  component: lazyRouteComponent(() => import('./shell/tenant-layout.tsx'), 'TenantLayout'),
});
