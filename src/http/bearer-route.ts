import Type, { type TObject, type TSchema } from 'typebox';
import type { MemberAccess } from './access.ts';
import { bearerSurface } from './bearer-surface.ts';
import type { BearerContext } from './context.ts';
import { configuredOrigins } from './cors.ts';
import type { InputOf, Route, RouteFacts, Work } from './route.ts';
import type { SessionContext } from './session-surface.ts';

/**
 * Declares a route of the entity records surface: like `defineRoute`, for people who have signed in. Errors have that
 * surface's shape, unknown query parameters are refused, and pages of the operator's origins may call it.
 */
export function defineBearerRoute<
  const A extends MemberAccess,
  R extends TSchema,
  Prepared,
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
>(
  route: Omit<RouteFacts<A, P, Q, B>, 'surfaces' | 'cors'> &
    Work<BearerContext, InputOf<P, Q, B, undefined>, R, Prepared>,
): Route;
export function defineBearerRoute(route: Route): Route {
  return onBearerSurface(route);
}

/** Declares a route about the caller's own account outside /api, which browser sessions call as well. */
export function defineAccountRoute<R extends TSchema, Prepared, B extends TSchema = TSchema>(
  route: Omit<RouteFacts<'member', TObject, TObject, B>, 'surfaces' | 'cors' | 'access'> &
    Work<BearerContext | SessionContext, InputOf<TObject, TObject, B, undefined>, R, Prepared>,
): Route;
export function defineAccountRoute(route: Omit<Route, 'access'>): Route {
  return onBearerSurface({ ...route, access: 'member' });
}

function onBearerSurface(route: Route): Route {
  return { ...route, query: onlyKnown(route.query), surfaces: [bearerSurface], cors: configuredOrigins };
}

/** Refuses unknown query parameters unless the query schema says otherwise. */
function onlyKnown(query: TObject = Type.Object({})): TObject {
  return 'additionalProperties' in query
    ? query
    : Type.Object(query.properties, { additionalProperties: false });
}
