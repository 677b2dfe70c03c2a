import type { ErrorDefinition } from '../errors/app-error.ts';
import type { Route } from '../http/route.ts';
import type { Job } from '../jobs/jobs.ts';
import type { Retention } from '../jobs/retention.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Platform } from '../platform.ts';

/** What a resource area brings to the process. Its `index.ts` exports one of these. */
export interface Feature {
  /** The folder's name. */
  readonly name: string;
  readonly routes: readonly Route[];
  readonly jobs?: readonly Job[];
  /** What is removed when. */
  readonly retentions?: readonly Retention[];
  readonly ledgers?: readonly Ledger[];
  /** The error codes that this feature declares. */
  readonly errors?: readonly ErrorDefinition[];
  /** Runs once at start, before the server listens. */
  readonly start?: (platform: Platform) => Promise<void>;
}
