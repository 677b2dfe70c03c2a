import type { IncomingHttpHeaders } from 'node:http';
import type { Platform } from '../platform.ts';
import type { Caller } from '../tenancy/caller.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';

/** The context of every handler: the platform, the time of the request and the setter of response headers. */
export interface RequestContext {
  readonly platform: Platform;
  readonly requestId: string;
  readonly method: string;
  /** Path and query of the request. */
  readonly url: string;
  readonly now: Date;
  readonly client: ClientInfo;
  /** The headers of the request. */
  readonly headers: IncomingHttpHeaders;
  setHeader(name: string, value: string): void;
  /** A signal that aborts when the client disconnects, for work that takes seconds. */
  disconnectSignal(): AbortSignal;
}

/** The client of a request. */
export interface ClientInfo {
  /** Socket address, or the forwarded one when TRUST_PROXY allows it. */
  readonly address: string;
  readonly userAgent: string | null;
  readonly origin: string | null;
  /** Host and port that the client requested. */
  readonly host: string;
}

/** The rows that a request can reach; in a route's `write`, its open transaction. */
export interface TenantContext {
  readonly db: ScopedDb;
}

/** A request of a tenant's member: the caller, and the rows it can reach. */
export interface MemberContext extends RequestContext, TenantContext {
  readonly caller: Caller;
}

/** A request with the access token of a signed-in user. */
export interface BearerContext extends MemberContext {
  /** Count of changes to the tenant's entities, so that no process uses old definitions. */
  readonly entityRevision: number;
}

/** A call with the token of an automation's hook; it can reach the whole tenant. */
export interface HookContext extends RequestContext, TenantContext {
  readonly automationId: string;
}

/** A request with the operator's token. */
export interface OperatorContext extends RequestContext {
  readonly operator: true;
}

/** The context of a request, tagged by the surface that made it. */
export type AnyContext = RequestContext | MemberContext | BearerContext | HookContext | OperatorContext;
