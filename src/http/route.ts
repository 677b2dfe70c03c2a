/**
 * A route as data. Registration, the OpenAPI document, capabilities, rate limits and the contract tests all read
 * this one object; nothing about a route is said twice.
 */
import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorDefinition } from '../errors/app-error.ts';
import type { MemberContext, OperatorContext, RequestContext } from './context.ts';

/**
 * Who may call: `public` needs no credential, `operator` the ADMIN_TOKEN; the others an API key whose membership
 * is any (`member`), holds that role in at least one business unit, or owns the tenant (`owner`). Roles are
 * checked again on the record's own unit by the use case.
 */
export type Access = 'public' | 'operator' | 'member' | 'viewer' | 'editor' | 'admin' | 'owner';

/** The context a handler gets, by the route's access. */
export type ContextFor<A extends Access> = A extends 'public'
  ? RequestContext
  : A extends 'operator'
    ? OperatorContext
    : MemberContext;

/** A ceiling on calls: `limit` in a fixed window of `windowSeconds`, counted per caller or per client address. */
export interface RateLimit {
  readonly limit: number;
  readonly windowSeconds: number;
  readonly per: 'caller' | 'address' | 'address-and-path';
  /** Routes of one group share a counter, and so name the same limit; without a group a route has its own. */
  readonly group?: string;
}

/** The shape of a route's error bodies: the platform's, or the same facts as `{error: {code, message, details}}`. */
export type ErrorEnvelope = 'plain' | 'wrapped';

/** An answer that is not JSON: a page, a script, a preflight. `body` is sent as it is. */
export interface RawReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** How a route that answers with something else than JSON describes its success in OpenAPI. */
export interface RawContent {
  readonly contentType: string;
  readonly description: string;
  /** Default: 200. */
  readonly status?: number;
}

interface RouteFacts<A extends Access> {
  /** Operation id, unique: `forms.create`. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS';
  /** Path with `{name}` parameters. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** The group in the reference. */
  readonly tag: string;
  readonly access: A;
  /** Errors beyond those that every route of this access can give. */
  readonly errors?: readonly ErrorDefinition[];
  /** The code of a malformed request; INVALID_REQUEST unless the area has its own. */
  readonly invalid?: ErrorDefinition;
  readonly rateLimit?: RateLimit;
  /** Default: plain. */
  readonly envelope?: ErrorEnvelope;
  /** A body of any type is read and not looked at, instead of being refused for its type. */
  readonly ignoresBody?: true;
  /**
   * The handler waits for more than the database, so an Idempotency-Key must not hold a transaction around it. What
   * must not happen twice is written in `commitAnswer`.
   */
  readonly callsOut?: true;
}

type Input<P extends TObject, Q extends TObject, B extends TSchema> = {
  readonly params: Static<P>;
  readonly query: Static<Q>;
  readonly body: Static<B>;
};

interface RouteShapes<P extends TObject, Q extends TObject, B extends TSchema> {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
}

/** A route whose success is 200 with a JSON body of shape `reply`. */
export interface JsonRoute<
  A extends Access,
  P extends TObject,
  Q extends TObject,
  B extends TSchema,
  R extends TSchema,
> extends RouteFacts<A>,
    RouteShapes<P, Q, B> {
  readonly reply: R;
  readonly handler: (ctx: ContextFor<A>, input: Input<P, Q, B>) => Promise<Static<R>>;
  /** Runs before limits are counted and the body is read: for headers that errors and replays must carry too. */
  readonly before?: (ctx: RequestContext, params: Static<P>) => Promise<void>;
}

/** A route that answers with a page or a script. */
export interface RawRoute<A extends Access, P extends TObject, Q extends TObject, B extends TSchema>
  extends RouteFacts<A>,
    RouteShapes<P, Q, B> {
  readonly raw: RawContent;
  readonly handler: (ctx: ContextFor<A>, input: Input<P, Q, B>) => Promise<RawReply> | RawReply;
}

/** Any route, as the server and the documents see it: the input is whatever its own schemas let through. */
export interface Route extends RouteFacts<Access> {
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TSchema;
  readonly reply?: TSchema;
  readonly raw?: RawContent;
  /** Calls the handler with a context of the kind that `access` promises. */
  readonly run: (ctx: AnyContext, input: RouteInput) => unknown;
  /** What the route does before all else; takes checked parameters. */
  readonly before?: (ctx: RequestContext, params: unknown) => Promise<void>;
}

/** A request after validation. */
export interface RouteInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** The context of a request, tagged by the surface that made it. */
export type AnyContext = RequestContext | MemberContext | OperatorContext;

/** Declares a JSON route. */
export function defineRoute<
  const A extends Access,
  R extends TSchema,
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
>(route: JsonRoute<A, P, Q, B, R>): Route {
  return toRoute(route);
}

/** Declares a route that answers with a page or a script. */
export function defineRawRoute<
  const A extends Access,
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
>(route: RawRoute<A, P, Q, B>): Route {
  return toRoute(route);
}

/**
 * Forgets the handler's exact types. This is the one boundary where a checked request becomes a typed one: the
 * server has validated the input against the same schemas and made the context that `access` names.
 */
function toRoute<A extends Access, P extends TObject, Q extends TObject, B extends TSchema>(
  route: RouteFacts<A> &
    RouteShapes<P, Q, B> & {
      handler: (ctx: ContextFor<A>, input: Input<P, Q, B>) => unknown;
      before?: (ctx: RequestContext, params: Static<P>) => Promise<void>;
    },
): Route {
  const { handler, before, ...facts } = route;
  const run = (ctx: AnyContext, input: RouteInput) => handler(ctx as ContextFor<A>, input as Input<P, Q, B>);
  if (before === undefined) return { ...facts, run };
  return { ...facts, run, before: (ctx, params) => before(ctx, params as Static<P>) };
}
