import type { IncomingHttpHeaders } from 'node:http';
import type { Platform } from '../platform.ts';
import type { Caller } from '../tenancy/caller.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';

/** What every handler gets: the process, the moment of the request and how to shape the answer's headers. */
export interface RequestContext {
  readonly platform: Platform;
  readonly requestId: string;
  readonly method: string;
  readonly now: Date;
  readonly client: ClientFacts;
  /** The request's headers, for what only a page or a script needs of them. */
  readonly headers: IncomingHttpHeaders;
  setHeader(name: string, value: string): void;
  /** A signal that ends when the client goes away, for work that takes seconds. */
  whenGone(): AbortSignal;
}

/** What is known of the other end of the connection. */
export interface ClientFacts {
  /** Socket address, or the forwarded one when TRUST_PROXY allows it. */
  readonly address: string;
  readonly userAgent: string | null;
  readonly origin: string | null;
  /** Host and port that the client asked for. */
  readonly host: string;
}

/** The rows that a request reaches; in a route's `write` the open transaction. */
export interface TenantContext {
  readonly db: ScopedDb;
}

/** A request of a tenant's member: who asks, and the rows it reaches. */
export interface MemberContext extends RequestContext, TenantContext {
  readonly caller: Caller;
}

/** A request of somebody who has signed in. */
export interface BearerContext extends MemberContext {
  /** How often the tenant's entities have been changed, so that no process goes by old definitions. */
  readonly entityRevision: number;
}

/** A call by the token of an automation's hook; it reaches the whole tenant of that. */
export interface HookContext extends RequestContext, TenantContext {
  readonly automationId: string;
}

/** A request with the operator's token. */
export interface OperatorContext extends RequestContext {
  readonly operator: true;
}
