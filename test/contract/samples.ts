/**
 * What a feature's `samples.ts` says: how its records are made through the API, and a valid request to each of its
 * routes. The contract tests send these requests with other credentials, with absent names, malformed or twice.
 */
import { randomUUID } from 'node:crypto';
import type { TestTenant } from '../harness/test-app.ts';

/** A record of some kind, and the name by which requests reach it. */
export interface Sample {
  /** Those that must be there before it. */
  readonly needs?: readonly Sample[];
  /** Makes it, and returns its name. */
  readonly make: (world: World) => Promise<string>;
  /** A name of the same form under which there is nothing; left out where the name is no secret. */
  readonly absent?: () => string;
}

/** What samples are made in. */
export interface World {
  readonly tenant: TestTenant;
  /** Where webhooks post to. */
  readonly receiverUrl: string;
  readonly name: NameOf;
}

/** The name of a record that was made. @throws for one that is not among the `needs`. */
export type NameOf = (sample: Sample) => string;

/** A request to a route. */
export interface RouteRequest {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** What brings the credential of a surface that has one of its own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of a route that reads it while it arrives. */
  readonly upload?: { readonly type: string; readonly text: string };
}

/** Valid requests by operation id. */
export type Requests = Readonly<Record<string, (name: NameOf) => RouteRequest>>;

/** What a feature's `samples.ts` exports as `samples`. */
export interface FeatureSamples {
  /** A record for each kind, so that every table has a row. */
  readonly records: readonly Sample[];
  /** For every route with parameters, a query, a body or an upload. */
  readonly requests: Requests;
}

/** A domain that nobody has. */
export function newDomain(): string {
  return `d${randomUUID()}.example`;
}
