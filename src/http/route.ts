/**
 * A route as data. Registration, the OpenAPI document, capabilities, rate limits and the contract tests all read
 * this one object; nothing about a route is said twice.
 */
import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorDefinition } from '../errors/app-error.ts';
import type { MemberContext, OperatorContext, RequestContext, TenantContext } from './context.ts';

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

/** The context of `write`, by the route's access; `db` is the open transaction. */
export type WriteContextFor<A extends Access> = ContextFor<A> & TenantContext;

/** What `prepare` hands to `write` where no caller tells the tenant. */
export interface OfTenant {
  /** The tenant in which `write` writes. */
  readonly tenantId: string;
}

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
}

/**
 * What a route does. `handler` answers without a change. What changes has `write`, which runs in a transaction that
 * also stores the answer of an Idempotency-Key, and may have `prepare`, which runs before it, with no transaction
 * open: there, and only there, it may wait for the world. On public and operator routes `prepare` names the tenant.
 */
type Work<A extends Access, I, R, Prepared> =
  | {
      readonly handler: (ctx: ContextFor<A>, input: I) => Promise<R>;
      readonly prepare?: undefined;
      readonly write?: undefined;
      readonly oneStatement?: undefined;
    }
  | {
      readonly handler?: undefined;
      readonly prepare?: (ctx: ContextFor<A>, input: I) => Promise<Prepared>;
      readonly write: (ctx: WriteContextFor<A>, input: I, prepared: Prepared) => Promise<R>;
      /** `write` is a single statement: without an Idempotency-Key no transaction is opened for it. */
      readonly oneStatement?: true;
    };

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
export type JsonRoute<
  A extends Access,
  P extends TObject,
  Q extends TObject,
  B extends TSchema,
  R extends TSchema,
  Prepared,
> = RouteFacts<A> &
  RouteShapes<P, Q, B> &
  Work<A, Input<P, Q, B>, Static<R>, Prepared> & {
    readonly reply: R;
    /** Runs before limits are counted and the body is read: for headers that errors and replays must carry too. */
    readonly before?: (ctx: RequestContext, params: Static<P>) => Promise<void>;
  };

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
  /** Each takes a context of the kind that `access` promises. A route has `handler` or `write`. */
  readonly handler?: (ctx: AnyContext, input: RouteInput) => unknown;
  readonly prepare?: (ctx: AnyContext, input: RouteInput) => Promise<unknown>;
  readonly write?: (
    ctx: AnyContext & TenantContext,
    input: RouteInput,
    prepared: unknown,
  ) => Promise<unknown>;
  readonly oneStatement?: true;
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

/**
 * Declares a JSON route. From here on its exact types are forgotten: this is the one boundary where a checked request
 * becomes a typed one, as the server validates the input against the same schemas and makes the context that `access`
 * names.
 */
export function defineRoute<
  const A extends Access,
  R extends TSchema,
  Prepared,
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
>(route: JsonRoute<A, P, Q, B, R, Prepared>): Route;
export function defineRoute(route: Route): Route {
  return route;
}

/** Declares a route that answers with a page or a script. */
export function defineRawRoute<
  const A extends Access,
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
>(route: RawRoute<A, P, Q, B>): Route;
export function defineRawRoute(route: Route): Route {
  return route;
}
