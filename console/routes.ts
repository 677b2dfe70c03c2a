/** Parents of all screens. Screens are below `t/$tenant` unless they concern the user alone. */
import { createRootRoute, createRoute, retainSearchParams } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The file of the screen below `features`, without its extension: pages load it in advance. */
    readonly screen?: string;
    /** True if the screen shows the same in every business unit. The unit stays in the URL for other screens. */
    readonly isTenantWide?: true;
  }
}

/** Query parameters of every screen of a tenant: the slug of a business unit, absent for all units. */
export type TenantSearch = { readonly unit?: string };

/**
 * Everything below `/console`. The router sets the components of this route and of `tenantRoute`, because they need the
 * manifests of all features.
 */
export const rootRoute = createRootRoute();

/** Screens of a tenant: with navigation, and with the business unit in `?unit`. */
export const tenantRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 't/$tenant',
  validateSearch: ({ unit }): TenantSearch => (typeof unit === 'string' && unit !== '' ? { unit } : {}),
  search: { middlewares: [retainSearchParams(['unit'])] },
});
