import type { Static, TObject, TSchema } from 'typebox';
import type { MemberAccess } from './access.ts';
import type { HookContext, MemberContext } from './context.ts';
import { hookSurface } from './hook-surface.ts';
import type { Route, RouteFacts, RouteInput, Work } from './route.ts';
import { memberSurface } from './surfaces.ts';

/**
 * Declares a route of hooks: like `defineRoute`, for members with an API key and for callers with the token of a hook.
 * Its path ends with any path, it takes any body, and it answers 202.
 */
export function defineHookRoute<R extends TSchema, P extends TObject, Q extends TObject>(
  route: Omit<
    RouteFacts<MemberAccess, P, Q, TSchema>,
    'surfaces' | 'takesAnyBody' | 'endsWithRest' | 'status'
  > &
    Work<MemberContext | HookContext, RouteInput<Static<P>, Static<Q>>, R, undefined>,
): Route;
export function defineHookRoute(route: Route): Route {
  return {
    ...route,
    surfaces: [memberSurface, hookSurface],
    takesAnyBody: true,
    endsWithRest: true,
    status: 202,
  };
}
