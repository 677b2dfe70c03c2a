import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Ledgers } from './ledger/ledgers.ts';
import type { MailTransport } from './mail/transport.ts';
import type { Metrics } from './observe/metrics.ts';
import type { Observer } from './observe/observer.ts';
import type { OutboundClient } from './outbound/outbound-client.ts';
import type { SecretBox } from './secrets/secret-box.ts';
import type { TokenSigner } from './secrets/signed-tokens.ts';
import type { FileStorage } from './storage/storage.ts';
import type { Scope } from './tenancy/scope.ts';
import type { ScopedDb } from './tenancy/scoped-db.ts';
import type { ScopedTables } from './tenancy/scoped-tables.ts';

/** The present moment. Injected everywhere, so that tests can turn it. */
export type Clock = () => Date;

/** Whether the process has been asked to stop: it is no longer ready, and answers close their connections. */
export class DrainState {
  readonly #controller = new AbortController();

  get started(): boolean {
    return this.signal.aborted;
  }

  /** Ends what would go on for ever. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  start(): void {
    this.#controller.abort();
  }
}

/** How far the start of a process is; it is ready only when the start has finished. */
export class StartState {
  #step: string | null = 'opening the database';

  /** What the start waits for; null once it has finished. */
  get step(): string | null {
    return this.#step;
  }

  enter(step: string): void {
    this.#step = step;
  }

  finish(): void {
    this.#step = null;
  }
}

/** What one process offers to its features. Built once in app.ts; nothing is global. */
export interface Platform {
  readonly config: Config;
  readonly version: string;
  readonly clock: Clock;
  readonly observe: Observer;
  readonly metrics: Metrics;
  readonly database: Database;
  readonly secrets: SecretBox;
  readonly tokens: TokenSigner;
  readonly outbound: OutboundClient;
  readonly mail: MailTransport;
  readonly storage: FileStorage;
  readonly jobs: Jobs;
  readonly ledgers: Ledgers;
  readonly drain: DrainState;
  readonly start: StartState;
  /** Base of every link that leaves the system, without a trailing slash. */
  publicUrl(): string;
  /** The tables that scopes may name; those that are made at run time are told here. */
  readonly tables: ScopedTables;
  /** Opens the rows that `scope` reaches. */
  scoped(scope: Scope): ScopedDb;
  /** Registers what must be let go when the process ends, after requests and jobs have drained. */
  onClose(release: () => Promise<void> | void): void;
}

/**
 * Declares something a feature needs once per process (a cache, a worker): made on first use with the process's
 * platform. Call the result with a platform to get it. A promise of it that is rejected is forgotten: the next call tries
 * again.
 */
export function oncePerPlatform<T>(create: (platform: Platform) => T): (platform: Platform) => T {
  const made = new WeakMap<Platform, { value: T }>();
  return (platform) => {
    const known = made.get(platform);
    if (known !== undefined) return known.value;
    const value = create(platform);
    made.set(platform, { value });
    if (value instanceof Promise) value.catch(() => made.delete(platform));
    return value;
  };
}
