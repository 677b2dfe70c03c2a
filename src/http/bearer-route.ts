import Type, { type TObject, type TSchema } from 'typebox';
import { bearerSurface } from './bearer-surface.ts';
import type { BearerContext } from './context.ts';
import { operatorsOrigins } from './cors.ts';
import type { InputOf, MemberAccess, Route, RouteFacts, Work } from './route.ts';

/**
 * Declares a route of the surface of entity records: as `defineRoute`, for people who have signed in. Its handler gets their
 * context, its errors have that surface's shape, parameters that it does not know are refused, and pages may call it that the
 * operator lets.
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
  return { ...route, query: onlyKnown(route.query), surfaces: [bearerSurface], cors: operatorsOrigins };
}

/** Where a query does not say what else it takes, another parameter is a mistake of whoever calls. */
function onlyKnown(query: TObject = Type.Object({})): TObject {
  return 'additionalProperties' in query
    ? query
    : Type.Object(query.properties, { additionalProperties: false });
}
