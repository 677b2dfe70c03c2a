/**
 * A route as data. Registration, the OpenAPI document, capabilities, rate limits and the contract tests all read
 * this one object; nothing about a route is said twice.
 */
import type { Readable } from 'node:stream';
import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorDefinition } from '../errors/app-error.ts';
import type { DefinitionTarget } from '../outbound/definition-targets.ts';
import type { TenantPattern } from '../patterns/tenant-patterns.ts';
import type { BodyCheck } from './body-checks.ts';
import type { Tagged } from './conditional.ts';
import type {
  BearerContext,
  HookContext,
  MemberContext,
  OperatorContext,
  RequestContext,
  TenantContext,
} from './context.ts';
import type { Cors } from './cors.ts';
import type { ErrorEnvelope } from './error-shapes.ts';
import type { EventSource } from './event-stream.ts';
import type { JsonText } from './json-text.ts';
import type { LargeAnswer } from './large-answer.ts';
import type { Surface } from './surface.ts';
import type { Updates } from './updates.ts';
import type { Upload, UploadRules } from './upload.ts';

/**
 * Who may call: `public` needs no credential, `operator` the ADMIN_TOKEN; the others that of a member whose membership
 * is any (`member`), holds that role in at least one business unit, or owns the tenant (`owner`). Roles are
 * checked again on the record's own unit by the use case.
 */
export type Access = 'public' | 'operator' | MemberAccess;

/** Which of a tenant's members may call. */
export type MemberAccess = 'member' | 'viewer' | 'editor' | 'admin' | 'owner';

/** The context a handler gets, by the route's access. */
export type ContextFor<A extends Access> = A extends 'public'
  ? RequestContext
  : A extends 'operator'
    ? OperatorContext
    : MemberContext;

/** What `prepare` hands to `write` where no caller tells the tenant. */
export interface OfTenant {
  /** The tenant in which `write` writes. */
  readonly tenantId: string;
}

/** A ceiling on calls: `limit` in a fixed window of `windowSeconds`, counted per caller or per client address. */
export interface RateLimit {
  readonly limit: number;
  readonly windowSeconds: number;
  readonly per: 'caller' | 'tenant' | 'address' | 'address-and-path';
  /** Routes of one group share a counter, and so name the same limit; without a group a route has its own. */
  readonly group?: string;
}

/** An answer that is not JSON: a page, a script. `body` is sent as it is. */
export interface RawReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** The same, whose body goes out while it is read: what fails on the way ends the connection. */
export interface StreamReply extends Omit<RawReply, 'body'> {
  readonly body: Readable;
}

/** How a route that answers with something else than JSON describes its success in OpenAPI. */
export interface RawContent {
  readonly contentType: string;
  readonly description: string;
  /** Default: 200. */
  readonly status?: number;
}

/** The fields that a list can be filtered by, and the operations that it takes. */
export interface ListFilters {
  readonly fields: Readonly<Record<string, { readonly type: string }>>;
  readonly operations: readonly string[];
}

/** What a route is, beside what it does. */
export interface RouteFacts<A extends Access, P extends TObject, Q extends TObject, B extends TSchema> {
  /** Operation id, unique: `forms.create`. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `{name}` parameters. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** The group in the reference. */
  readonly tag: string;
  readonly access: A;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Rules of the body beside its schema; their faults are told together. */
  readonly checks?: readonly BodyCheck<Static<B>>[];
  /** The regular expressions in a body that defines some: compiled under a deadline before `prepare`; their faults are told then. */
  readonly patterns?: (body: Static<B>) => readonly TenantPattern[];
  /** The addresses in a body that defines calls: looked up before `prepare`, which then reports their faults. */
  readonly targets?: (body: Static<B>) => readonly DefinitionTarget[];
  /** Of a success: of what is accepted and done later. Default: 200. */
  readonly status?: 202;
  /** Rules that come before the schema: what one of them finds is all that is told. */
  readonly firstChecks?: readonly BodyCheck<unknown>[];
  /** A call without a body is one with `{}`, by which nothing is required. */
  readonly mayLackBody?: true;
  /** A body of any type is read and not looked at, instead of being refused for its type. */
  readonly ignoresBody?: true;
  /** A body of any type is read: JSON as its value, the fields of a form as an object, anything else as text; none is null. */
  readonly takesAnyBody?: true;
  /** A GET that writes answers HEAD too, and writes nothing then: its `write` looks at the method. */
  readonly answersHead?: true;
  /** Its last parameter is the rest of the path, slashes included. */
  readonly endsWithRest?: true;
  /** Set for a PUT that updates a stored record: absent members keep their values, and a PATCH follows from it. */
  readonly updates?: Updates<ContextFor<A>, RouteInput<Static<P>, Static<Q>>>;
  /** Members of the body inside which an unknown member is refused even where the operation ignores others. */
  readonly definitions?: readonly string[];
  /** Errors beyond those that every route of this access can give. */
  readonly errors?: readonly ErrorDefinition[];
  /** The code of a malformed request; INVALID_REQUEST unless the area has its own. */
  readonly invalid?: ErrorDefinition;
  /** The shape of the area's error bodies; the surface's unless it has its own. */
  readonly envelope?: ErrorEnvelope;
  readonly rateLimit?: RateLimit;
  /** The largest body that it takes, in bytes, beyond the usual 10 MiB. */
  readonly maxBodyBytes?: number;
  /** A POST that changes nothing: it takes an Idempotency-Key, ignores it and stores no answer. */
  readonly readsOnly?: true;
  /** Nothing on the way keeps what it answers, also when an Idempotency-Key has it told again. */
  readonly answersSecrets?: true;
  /** Pages of other origins that may call. */
  readonly cors?: Cors<Static<P>>;
  /** What a list can be filtered by, and the fields that its search looks in: for the reference and the console. */
  readonly filters?: ListFilters;
  readonly search?: readonly string[];
  /** The fields that a list can be ordered by. */
  readonly sorts?: readonly string[];
  /** Its events come to an end by themselves, so that a process which drains waits for them. */
  readonly eventsEnd?: true;
  /** The surfaces that serve it, when they are others than its access speaks of. */
  readonly surfaces?: readonly Surface[];
}

/** A request after validation. */
export interface RouteInput<P = unknown, Q = unknown, B = unknown> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

/** As the schemas say; a body that is uploaded is still on its way. */
export type InputOf<P extends TObject, Q extends TObject, B extends TSchema, U> = RouteInput<
  Static<P>,
  Static<Q>,
  U extends UploadRules ? Upload : Static<B>
>;

/** Gives the events until `signal` ends. What it throws before it gives any is answered like any error. */
type EventHandler<Context, I> = (
  ctx: Context,
  input: I,
  signal: AbortSignal,
) => Promise<EventSource> | EventSource;

/**
 * What a route does. `handler` answers without a change; an answer that may be large sends its items by portions, and that of
 * `conditional` reads has a tag, so that a client which holds it gets a line (status 304) in its place. What changes has `write`, which runs in a transaction that
 * also stores the answer of an Idempotency-Key, and may have `prepare`, which runs before it, with no transaction
 * open: there, and only there, it may wait for the world. When the transaction came to nothing, `abandon` takes back what
 * `prepare` has made outside it. On public and operator routes `prepare` names the tenant.
 * What answers with nothing but events has `events` alone.
 */
export type Work<Context extends RequestContext, I, R extends TSchema, Prepared> =
  | (Without<'prepare' | 'write' | 'abandon' | 'oneStatement' | 'changesTables' | 'conditional'> & {
      readonly handler: (ctx: Context, input: I) => Promise<Static<R> | LargeAnswer | JsonText>;
      readonly reply: R;
    })
  | (Without<'prepare' | 'write' | 'abandon' | 'oneStatement' | 'changesTables'> & {
      readonly conditional: true;
      readonly handler: (ctx: Context, input: I) => Promise<Tagged<Static<R> | JsonText>>;
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
      /** `write` changes tables, which its transaction must begin with. */
      readonly changesTables?: true;
      readonly reply: R;
    })
  | (Without<
      'handler' | 'prepare' | 'write' | 'abandon' | 'oneStatement' | 'changesTables' | 'reply' | 'conditional'
    > & {
      readonly events: EventHandler<Context, I>;
    });

type Without<Names extends string> = { readonly [Name in Names]?: undefined };

/** Any route, as the server and the documents see it: the input is whatever its own schemas let through. */
export interface Route extends RouteFacts<Access, TObject, TObject, TSchema> {
  readonly cors?: Cors<unknown>;
  readonly updates?: Updates<AnyContext, RouteInput>;
  /** Of a PATCH: the id of the PUT that it follows from. */
  readonly patches?: string;
  patterns?(body: unknown): readonly TenantPattern[];
  targets?(body: unknown): readonly DefinitionTarget[];
  readonly reply?: TSchema;
  readonly conditional?: true;
  readonly raw?: RawContent;
  readonly upload?: UploadRules;
  /** Each takes a context of the kind that `access` promises. A route has `handler`, `write` or `events`. */
  handler?(ctx: AnyContext, input: RouteInput): unknown;
  prepare?(ctx: AnyContext, input: RouteInput): Promise<unknown>;
  write?(ctx: AnyContext & TenantContext, input: RouteInput, prepared: unknown): Promise<unknown>;
  abandon?(ctx: AnyContext, input: RouteInput, prepared: unknown): Promise<void>;
  events?(ctx: AnyContext, input: RouteInput, signal: AbortSignal): Promise<EventSource> | EventSource;
  readonly oneStatement?: true;
  readonly changesTables?: true;
}

/** The context of a request, tagged by the surface that made it. */
export type AnyContext = RequestContext | MemberContext | BearerContext | HookContext | OperatorContext;

/**
 * Declares a route whose success is 200, or its `status`, with a JSON body of shape `reply`, or a stream of events: for a client that
 * accepts `text/event-stream`, for any when there is no `reply`. With `upload` it reads its body while that arrives.
 *
 * From here on its exact types are forgotten: this is the one boundary where a checked request becomes a typed one, as
 * the server validates the input against the same schemas and makes the context that `access` names.
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

/** Declares a route that answers with a page, a script or a file. With `upload` it reads its body while that arrives. */
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
