/**
 * A surface is a way to call, with a credential of its own: which requests are its, who calls, how errors look and how
 * it is documented. Nothing else in this folder asks which surface it serves. A path may be served by several: each
 * request belongs to the first surface that takes it.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { WorkKind } from '../db/work-kind.ts';
import type { ErrorDefinition } from '../errors/app-error.ts';
import type { Platform } from '../platform.ts';
import type { RequestContext } from './context.ts';
import type { ErrorEnvelope } from './error-shapes.ts';
import type { Access, AnyContext, Route } from './route.ts';
import type { RoutePaths } from './route-paths.ts';

/** Who calls, as far as limits, idempotency keys and logs need to tell callers apart. */
export interface Identity {
  /** Null for a caller of no tenant. */
  readonly tenantId: string | null;
  /** Unique within its tenant. */
  readonly caller: string;
  /** The Active business unit, empty without one. */
  readonly unit: string;
}

/** A header of answers, as the reference describes it. */
export interface AnswerHeader {
  readonly name: string;
  readonly description: string;
  readonly schema: TSchema;
}

/** A surface, and the context that its routes get. The server hands to `identify` only what `authenticate` has made. */
export interface Surface<Context extends RequestContext = AnyContext> {
  readonly name: string;
  /** Returns true if a request is this surface's, by its path and its credential. */
  takes(request: IncomingMessage, paths: RoutePaths): boolean;
  /**
   * Turns the credential into the context that routes get, if it may call what asks for this; a role on a path with
   * parameters is a matter of the record's unit, and of the use case. @throws AppError 400, 401 or 403.
   */
  authenticate(
    request: FastifyRequest,
    base: RequestContext,
    route: Pick<Route, 'access' | 'params'>,
  ): Promise<Context> | Context;
  identify(ctx: Context): Identity;
  /** How errors look, on unknown paths too, unless the route's area has a shape of its own. */
  readonly envelope: ErrorEnvelope;
  /** Which limit its SQL statements have; that of requests when absent. */
  readonly workKind?: WorkKind;
  /** How OpenAPI names and describes the credential; null when none is asked for. */
  readonly security: { readonly name: string; readonly scheme: object } | null;
  /** Names of the credentials of other surfaces that a route takes as well. */
  readonly otherSecurity?: (route: Pick<Route, 'path'>) => readonly string[];
  /** Headers that every request may have. */
  readonly headers: readonly { readonly name: string; readonly description: string }[];
  /** Headers that every answer has; what `authenticate` does not set, `ofNobody` tells those who cannot be told from others. */
  readonly answerHeaders?: {
    readonly described: readonly AnswerHeader[];
    readonly ofNobody: (platform: Platform, request: IncomingMessage) => Readonly<Record<string, string>>;
  };
  /** What every route of this access can answer because it is on this surface. */
  errors(access: Access): readonly ErrorDefinition[];
}

/** Whether a request's path is `prefix` or lies below it. */
export function isBelow(prefix: string, { url = '' }: IncomingMessage): boolean {
  return url.startsWith(prefix) && /^[/?]?$/.test(url.charAt(prefix.length));
}

/** Whether a request is one of a tenant's members: below /api, or about their own password. */
export function isForMembers(request: IncomingMessage): boolean {
  return isBelow('/api', request) || isBelow('/auth/password', request);
}
