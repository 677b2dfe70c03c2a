/**
 * A surface is a set of routes with one kind of credential: it defines which requests belong to it, who the caller is,
 * the shape of errors, and the documentation. The rest of this folder does not depend on the surface. Several surfaces
 * may serve a path: each request belongs to the first surface that takes it.
 */

import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import type { WorkKind } from '../db/work-kind.ts';
import type { ErrorDefinition } from '../errors/app-error.ts';
import type { Platform } from '../platform.ts';
import type { Access } from './access.ts';
import type { AnyContext, RequestContext } from './context.ts';
import type { ErrorEnvelope } from './error-shapes.ts';

/** The identity of a caller for limits, idempotency keys and logs. */
export interface Identity {
  /** Null for a caller without a tenant. */
  readonly tenantId: string | null;
  /** Unique within its tenant. */
  readonly caller: string;
  /** The active business unit, empty without one. */
  readonly unit: string;
}

/** The facts about a route that decide who may call it. */
export interface AuthenticatedRoute {
  readonly access: Access;
  readonly params?: TObject;
  /** Present if the route writes. */
  readonly write?: unknown;
  readonly needsConfirmation?: true;
}

/** The paths of all routes. */
export interface ServedPaths {
  /** Returns the methods of a path on these surfaces, sorted; `url` may have a query. */
  methodsAt(url: string, surfaces: readonly string[]): string[];
}

/** A response header, as the API reference describes it. */
export interface ResponseHeader {
  readonly name: string;
  readonly description: string;
  readonly schema: TSchema;
}

/** A surface and the context that its routes get. The server passes to `identify` only results of `authenticate`. */
export interface Surface<Context extends RequestContext = AnyContext> {
  readonly name: string;
  /** Returns true if a request is this surface's, by its path and its credential. */
  takes(request: IncomingMessage, paths: ServedPaths): boolean;
  /**
   * Turns the credential into the context of routes, if the caller may use a route with this access. On a path with
   * parameters, the use case checks the role in the record's unit. @throws AppError 400, 401 or 403.
   */
  authenticate(
    request: FastifyRequest,
    base: RequestContext,
    route: AuthenticatedRoute,
  ): Promise<Context> | Context;
  identify(ctx: Context): Identity;
  /** The shape of errors, including those of unknown paths, unless the route's area has its own. */
  readonly envelope: ErrorEnvelope;
  /** The kind of work that sets the limit of its SQL statements; by default that of requests. */
  readonly workKind?: WorkKind;
  /** Set for browser sessions: they have their own rate limits, and pages of other origins may not call. */
  readonly isForSessions?: true;
  /** The name and description of the credential in OpenAPI; null if none is needed. */
  readonly security: { readonly name: string; readonly scheme: object } | null;
  /** Names of credentials of other surfaces that a route accepts as well. */
  readonly otherSecurity?: (route: { readonly path: string }) => readonly string[];
  /** Headers that every request may have. */
  readonly headers: readonly { readonly name: string; readonly description: string }[];
  /** Headers of every response; `forUnauthenticated` returns their values for callers without an identity. */
  readonly responseHeaders?: {
    readonly described: readonly ResponseHeader[];
    readonly forUnauthenticated: (
      platform: Platform,
      request: IncomingMessage,
    ) => Readonly<Record<string, string>>;
  };
  /** The errors that every route of this access can return on this surface. */
  errors(access: Access): readonly ErrorDefinition[];
}

/** True if a request's path is `prefix` or lies below it. */
export function isBelow(prefix: string, { url = '' }: IncomingMessage): boolean {
  return url.startsWith(prefix) && /^[/?]?$/.test(url.charAt(prefix.length));
}

/** True for requests of a tenant's members: below /api, or about their own password. */
export function isForMembers(request: IncomingMessage): boolean {
  return isBelow('/api', request) || isBelow('/auth/password', request);
}
