/** Finds work queues with waiting rows in one poll per process, because most of them are empty most of the time. */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Platform } from '../platform.ts';
import type { RunningWorker } from './process-queues.ts';

/** Interval between polls, in ms. */
export const WATCH_MS = 300;
/** Interval on a cluster, where a poll reads all nodes and all their tenants, in ms. */
export const CLUSTER_WATCH_MS = 1000;

/** Time after which a slow poll is treated as failed, in ms. */
const MAX_POLL_MS = 3000;

/** A work queue whose worker is notified of waiting rows. */
export interface WatchedWorkQueue {
  /** The work queue's table, or the view of its rows. */
  readonly view: string;
  /** True if the work queue also has rows that belong to no tenant. */
  readonly hasExtraTenants: boolean;
  readonly worker: Pick<RunningWorker, 'poll'>;
}

/** Polls all work queues of one process and notifies their workers. */
export class WaitingWatch {
  readonly #platform: Platform;
  readonly #workQueues: readonly WatchedWorkQueue[];
  readonly #stopped = new AbortController();
  /** The poll under way. */
  #poll: Promise<readonly WatchedWorkQueue[]> | null = null;

  constructor(platform: Platform, workQueues: readonly WatchedWorkQueue[]) {
    this.#platform = platform;
    this.#workQueues = workQueues;
  }

  /** Polls until `stop` is called. Never rejects; no caller awaits it. */
  async start(): Promise<void> {
    const { signal } = this.#stopped;
    const everyMs = this.#platform.database.isSharded ? CLUSTER_WATCH_MS : WATCH_MS;
    while (!signal.aborted) {
      const waiting = await this.#listInTime();
      for (const { worker } of waiting) worker.poll();
      await pause(everyMs, undefined, { signal }).catch(() => {});
    }
  }

  /**
   * Lists work queues with waiting rows. If the poll fails or is slow, for example because a table is locked, it
   * returns all work queues: each worker then polls by itself and reports its errors. There is never more than one poll
   * at a time.
   */
  async #listInTime(): Promise<readonly WatchedWorkQueue[]> {
    this.#poll ??= this.#listWaiting()
      .catch(() => this.#workQueues)
      .finally(() => {
        this.#poll = null;
      });
    const timeout = new AbortController();
    const { signal } = timeout;
    const fallback = pause(MAX_POLL_MS, this.#workQueues, { signal }).catch(() => this.#workQueues);
    return Promise.race([this.#poll, fallback]).finally(() => timeout.abort());
  }

  stop(): void {
    this.#stopped.abort();
  }

  #listWaiting(): Promise<readonly WatchedWorkQueue[]> {
    return this.#platform.database.isSharded ? this.#listOnCluster() : this.#listInOneDatabase();
  }

  async #listInOneDatabase(): Promise<readonly WatchedWorkQueue[]> {
    const views = this.#workQueues.map(({ view }) => view);
    const { rows } = await this.#platform.database.everyTenant('work-queues').raw(
      sql<{
        ordinal: number;
      }>`select ordinal from tessera_waiting_work_queues(${views}::text[]::regclass[]) as ordinal`,
    );
    return rows.flatMap(({ ordinal }) => this.#workQueues[ordinal - 1] ?? []);
  }

  /**
   * Finds tenants by their default units, which are on the same nodes as their rows. @throws if a node cannot be read.
   */
  async #listOnCluster(): Promise<readonly WatchedWorkQueue[]> {
    const all = this.#platform.database.everyTenant('work-queues');
    const { rows, failure } = await all.gather((inTenants) => {
      const columns = this.#workQueues.map(({ view }, index) => {
        const name = sql.ref(`l${index}`);
        const found = sql`bool_or(${name}.is_waiting)`;
        const lateral = sql`left join lateral (select true as is_waiting from ${sql.table(view)} l
          where l.tenant_id = u.tenant_id and ${inTenants('l.tenant_id')} and l.state = 'pending' limit 1) ${name} on true`;
        return { found, lateral };
      });
      return sql<{ waiting: readonly (boolean | null)[] }>`
        select array[${sql.join(columns.map(({ found }) => found))}] as waiting from business_units u
        ${sql.join(
          columns.map(({ lateral }) => lateral),
          sql` `,
        )}
        where u.is_default and ${inTenants('u.tenant_id')}`;
    });
    if (failure !== undefined) throw failure;
    return this.#workQueues.filter(
      ({ hasExtraTenants }, index) => hasExtraTenants || rows.some(({ waiting }) => waiting[index]),
    );
  }
}
