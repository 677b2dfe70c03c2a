/**
 * A route as data. Registration, the OpenAPI document, capabilities, rate limits and the contract tests all read this
 * one object; every fact about a route is stated once.
 */

import type { Readable } from 'node:stream';
import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorDefinition } from '../errors/app-error.ts';
import type { DefinitionTarget } from '../outbound/definition-targets.ts';
import type { TenantPattern } from '../patterns/tenant-patterns.ts';
import type { Access } from './access.ts';
import type { BodyCheck } from './body-checks.ts';
import type { TaggedResponse } from './conditional-reads.ts';
import type { AnyContext, MemberContext, OperatorContext, RequestContext, TenantContext } from './context.ts';
import type { Cors } from './cors.ts';
import type { ErrorEnvelope } from './error-shapes.ts';
import type { ServerEvents } from './event-stream.ts';
import type { JsonText } from './json-text.ts';
import type { LargeResponse } from './large-response.ts';
import type { Surface } from './surface.ts';
import type { Updates } from './update-rules.ts';
import type { Upload, UploadRules } from './upload.ts';

/** The context a handler gets, by the route's access. */
export type ContextFor<A extends Access> = A extends 'public'
  ? RequestContext
  : A extends 'operator'
    ? OperatorContext
    : MemberContext;

/** The result of `prepare` on routes whose caller does not determine the tenant. */
export interface OfTenant {
  /** The tenant in which `write` writes. */
  readonly tenantId: string;
}

/** A rate limit: `limit` calls in a fixed window of `windowSeconds`, counted per caller or per client address. */
export interface RateLimit {
  readonly limit: number;
  readonly windowSeconds: number;
  readonly per: 'caller' | 'tenant' | 'address' | 'address-and-path';
  /** The limit of a browser session, if it differs. */
  readonly sessionLimit?: number;
  /** Routes of one group share a counter and must have the same limit; without a group, a route has its own. */
  readonly group?: string;
}

/** A response that is not JSON: a page, a script. `body` is sent unchanged. */
export interface RawReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** A raw reply whose body is sent while it is read. A failure on the way ends the connection. */
export interface StreamReply extends Omit<RawReply, 'body'> {
  readonly body: Readable;
}

/** The OpenAPI description of the success of a route that does not answer with JSON. */
export interface RawContent {
  readonly contentType: string;
  readonly description: string;
  /** Default: 200. */
  readonly status?: number;
}

/** The fields that a list can be filtered by, and their operations. */
export interface ListFilters {
  readonly fields: Readonly<Record<string, { readonly type: string; readonly values?: readonly string[] }>>;
  readonly operations: readonly string[];
}

/** The properties of a route, without its handlers. */
export interface RouteFacts<A extends Access, P extends TObject, Q extends TObject, B extends TSchema> {
  /** Operation id, unique: `forms.create`. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `{name}` parameters. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** Its group in the reference. */
  readonly tag: string;
  readonly access: A;
  /** Set if a role counts only in Default. The document states it, the use case checks it. */
  readonly accessUnit?: 'default';
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Rules of the body in addition to its schema; their faults are reported together. */
  readonly checks?: readonly BodyCheck<Static<B>>[];
  /**
   * Regular expressions in the body. They are compiled under a deadline before `prepare`, and their faults reported.
   */
  readonly patterns?: (body: Static<B>) => readonly TenantPattern[];
  /** Addresses of calls defined in the body. They are looked up before `prepare`, which then reports their faults. */
  readonly targets?: (body: Static<B>) => readonly DefinitionTarget[];
  /** Status of a success whose work is done later. Default: 200. */
  readonly status?: 202;
  /** Rules that run before the schema: if one finds a fault, nothing else is reported. */
  readonly firstChecks?: readonly BodyCheck<unknown>[];
  /** A call without a body counts as one with `{}`. */
  readonly mayLackBody?: true;
  /** A body of any type is read and ignored, instead of refused for its type. */
  readonly ignoresBody?: true;
  /**
   * A body of any type is accepted: JSON as its value, a form as an object, anything else as text; an empty one is
   * null.
   */
  readonly takesAnyBody?: true;
  /** A GET that writes answers HEAD too, without writing: its `write` checks the method. */
  readonly answersHead?: true;
  /** The last parameter is the rest of the path, slashes included. */
  readonly endsWithRest?: true;
  /** Set for a PUT that updates a stored record: absent members keep their values, and a PATCH is derived from it. */
  readonly updates?: Updates<ContextFor<A>, RouteInput<Static<P>, Static<Q>>>;
  /** Members of the body inside which unknown members are refused even if the operation ignores others. */
  readonly definitions?: readonly string[];
  /** Errors beyond those that every route of this access can give. */
  readonly errors?: readonly ErrorDefinition[];
  /** The code of a malformed request; INVALID_REQUEST unless the area has its own. */
  readonly invalid?: ErrorDefinition;
  /** The shape of the area's error bodies; the surface's unless it has its own. */
  readonly envelope?: ErrorEnvelope;
  readonly rateLimit?: RateLimit;
  /** The largest accepted body, in bytes, if over the usual 1 MiB. */
  readonly maxBodyBytes?: number;
  /** A POST that changes nothing: it accepts an Idempotency-Key, ignores it and stores no response. */
  readonly readsOnly?: true;
  /** A POST whose effect a stored response cannot repeat, such as a cookie: it ignores an Idempotency-Key. */
  readonly ignoresKey?: true;
  /** Responses must not be cached, including responses repeated for an Idempotency-Key. */
  readonly returnsSecrets?: true;
  /** Browser sessions may call it only shortly after their user has entered the password. */
  readonly needsConfirmation?: true;
  /** Pages of other origins that may call. */
  readonly cors?: Cors<Static<P>>;
  /** Fields that a list can be filtered by, and fields that its search reads, for the reference and the console. */
  readonly filters?: ListFilters;
  readonly search?: readonly string[];
  /** The fields that a list can be ordered by. */
  readonly sorts?: readonly string[];
  /** The kind of a list's items in history, and the member that identifies one. */
  readonly items?: { readonly entityType?: string; readonly key?: string };
  /** Its events end by themselves, so that a draining process waits for them. */
  readonly eventsEnd?: true;
  /** The surfaces that serve it, if they differ from those of its access. */
  readonly surfaces?: readonly Surface[];
}

/** A request after validation. */
export interface RouteInput<P = unknown, Q = unknown, B = unknown> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

/** The input that the schemas describe; an uploaded body is still arriving. */
export type InputOf<P extends TObject, Q extends TObject, B extends TSchema, U> = RouteInput<
  Static<P>,
  Static<Q>,
  U extends UploadRules ? Upload : Static<B>
>;

/** Yields events until `signal` aborts. An error before the first event is answered like any error. */
type EventHandler<Context, I> = (
  ctx: Context,
  input: I,
  signal: AbortSignal,
) => Promise<ServerEvents> | ServerEvents;

/** Returns true if a prepared write changes tables. (A method type, like `BodyCheck`.) */
type ChangesTables<Prepared> = {
  changesTables(prepared: Prepared): boolean;
}['changesTables'];

/**
 * The handlers of a route:
 * - `handler` answers without a change. A large response sends its items in chunks. A `conditional` response has a
 *   tag, and a client that already has it gets a 304.
 * - `write` changes data, in a transaction that also stores the response for an Idempotency-Key.
 * - `prepare` runs before `write`, with no transaction open. Only there may a route wait for the network. On public and
 *   operator routes it names the tenant.
 * - `abandon` undoes external effects of `prepare` when the transaction failed.
 * - `events` is the only handler of a route that answers with events.
 */
export type Work<Context extends RequestContext, I, R extends TSchema, Prepared> =
  | (Without<'prepare' | 'write' | 'abandon' | 'oneStatement' | 'changesTables' | 'conditional'> & {
      readonly handler: (ctx: Context, input: I) => Promise<Static<R> | LargeResponse | JsonText>;
      readonly reply: R;
    })
  | (Without<'prepare' | 'write' | 'abandon' | 'oneStatement' | 'changesTables'> & {
      readonly conditional: true;
      readonly handler: (ctx: Context, input: I) => Promise<TaggedResponse<Static<R> | JsonText>>;
      readonly reply: R;
    })
  | (Without<'handler' | 'conditional'> & {
      readonly prepare?: (ctx: Context, input: I) => Promise<Prepared>;
      readonly write: (
        ctx: Context & TenantContext,
        input: I,
        prepared: Prepared,
      ) => Promise<Static<R> | JsonText>;
      readonly abandon?: (ctx: Context, input: I, prepared: Prepared) => Promise<void>;
      /** `write` is a single statement: without an Idempotency-Key no transaction is opened for it. */
      readonly oneStatement?: true;
      /**
       * `write` changes tables, which must be the first statement of its transaction; or a function that returns true
       * for a prepared write that does.
       */
      readonly changesTables?: true | ChangesTables<Prepared>;
      readonly reply: R;
    })
  | (Without<
      'handler' | 'prepare' | 'write' | 'abandon' | 'oneStatement' | 'changesTables' | 'reply' | 'conditional'
    > & {
      readonly events: EventHandler<Context, I>;
    });

type Without<Names extends string> = { readonly [Name in Names]?: undefined };

/** Any route, as the server and the documents see it: the input is whatever its own schemas accept. */
export interface Route extends RouteFacts<Access, TObject, TObject, TSchema> {
  readonly cors?: Cors<unknown>;
  readonly updates?: Updates<AnyContext, RouteInput>;
  /** For a PATCH: the id of the PUT that it is derived from. */
  readonly patches?: string;
  patterns?(body: unknown): readonly TenantPattern[];
  targets?(body: unknown): readonly DefinitionTarget[];
  readonly reply?: TSchema;
  readonly conditional?: true;
  readonly raw?: RawContent;
  readonly upload?: UploadRules;
  /** Each gets a context of the kind that `access` promises. A route has `handler`, `write` or `events`. */
  handler?(ctx: AnyContext, input: RouteInput): unknown;
  prepare?(ctx: AnyContext, input: RouteInput): Promise<unknown>;
  write?(ctx: AnyContext & TenantContext, input: RouteInput, prepared: unknown): Promise<unknown>;
  abandon?(ctx: AnyContext, input: RouteInput, prepared: unknown): Promise<void>;
  events?(ctx: AnyContext, input: RouteInput, signal: AbortSignal): Promise<ServerEvents> | ServerEvents;
  readonly oneStatement?: true;
  readonly changesTables?: true | ChangesTables<unknown>;
}

/**
 * Declares a route whose success is 200, or its `status`, with a JSON body of shape `reply`, or a stream of events: for
 * clients that accept `text/event-stream`, and for all if there is no `reply`. With `upload`, it reads its body while
 * that arrives.
 *
 * From here on the exact types are erased. This is the one boundary where a checked request becomes a typed one: the
 * server validates the input against the same schemas and makes the context that `access` names.
 */
export function defineRoute<
  const A extends Access,
  R extends TSchema,
  Prepared,
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
  U extends UploadRules | undefined = undefined,
>(
  route: RouteFacts<A, P, Q, B> & {
    readonly upload?: U;
    readonly events?: EventHandler<ContextFor<A>, InputOf<P, Q, B, U>>;
  } & Work<ContextFor<A>, InputOf<P, Q, B, U>, R, Prepared>,
): Route;
export function defineRoute(route: Route): Route {
  return route;
}

/**
 * Declares a route that answers with a page, a script or a file. With `upload`, it reads its body while that arrives.
 */
export function defineRawRoute<
  const A extends Access,
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
  U extends UploadRules | undefined = undefined,
>(
  route: RouteFacts<A, P, Q, B> & {
    readonly upload?: U;
    readonly raw: RawContent;
    readonly handler: (
      ctx: ContextFor<A>,
      input: InputOf<P, Q, B, U>,
    ) => Promise<RawReply | StreamReply> | RawReply | StreamReply;
  },
): Route;
export function defineRawRoute(route: Route): Route {
  return route;
}
