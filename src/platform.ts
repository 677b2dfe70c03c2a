import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { Jobs } from './jobs/process-jobs.ts';
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
import type { WorkQueues } from './work-queue/process-queues.ts';

/** Returns the current time. Injected everywhere, so that tests can change it. */
export type Clock = () => Date;

/** Shutdown state of the process: once started, it is no longer ready, and responses close their connections. */
export class DrainState {
  readonly #controller = new AbortController();

  get started(): boolean {
    return this.signal.aborted;
  }

  /** Aborts work that would otherwise not end, such as event streams. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  start(): void {
    this.#controller.abort();
  }
}

/** Progress of the start; the process is ready once it has finished. */
export class StartState {
  #step: string | null = 'opening the database';

  /** The current step of the start; null once it has finished. */
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

/** Services of one process for its features. Built once in open-platform.ts; nothing is global. */
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
  readonly workQueues: WorkQueues;
  readonly drain: DrainState;
  readonly start: StartState;
  /** Base URL of public links, without a trailing slash. */
  publicUrl(): string;
  /** Base URL of the console and of pages for accounts, without a trailing slash. */
  consoleUrl(): string;
  /** Tables that scoped statements may use; tables created at run time are registered here. */
  readonly tables: ScopedTables;
  /** Returns access to the rows of `scope`. */
  scoped(scope: Scope): ScopedDb;
  /** Registers a release function, which runs at the end of the process, after requests and jobs have drained. */
  onClose(release: () => Promise<void> | void): void;
}

/**
 * Declares a value that exists once per process (a cache, a worker). It is created on first use; call the result with a
 * platform to get it. If the value is a promise that rejects, the next call creates it again.
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
