/** Polls which ledgers have waiting rows, in one statement per process, because most ledgers are empty most of the time. */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Platform } from '../platform.ts';
import type { LedgerWorker } from './ledger-worker.ts';

/** Interval between polls, in ms. */
export const WATCH_MS = 300;
/** Interval on a cluster, where a poll reads all nodes and all their tenants, in ms. */
export const SPREAD_WATCH_MS = 1000;

/** Time after which a slow poll is treated as failed, in ms. */
const MAX_POLL_MS = 3000;

/** A ledger whose worker is notified of waiting rows. */
export interface WatchedLedger {
  /** The ledger's table, or the view of its rows. */
  readonly view: string;
  /** True if the ledger also has rows that belong to no tenant. */
  readonly hasExtraTenants: boolean;
  readonly worker: Pick<LedgerWorker<never>, 'poll'>;
}

/** Polls all ledgers of one process and notifies their workers. */
export class WaitingWatch {
  readonly #platform: Platform;
  readonly #ledgers: readonly WatchedLedger[];
  readonly #stopped = new AbortController();
  /** The poll under way. */
  #poll: Promise<readonly WatchedLedger[]> | null = null;

  constructor(platform: Platform, ledgers: readonly WatchedLedger[]) {
    this.#platform = platform;
    this.#ledgers = ledgers;
  }

  /** Polls until `stop` is called. Never rejects; no caller awaits it. */
  async start(): Promise<void> {
    const { signal } = this.#stopped;
    const everyMs = this.#platform.database.isSharded ? SPREAD_WATCH_MS : WATCH_MS;
    while (!signal.aborted) {
      const waiting = await this.#listInTime();
      for (const { worker } of waiting) worker.poll();
      await pause(everyMs, undefined, { signal }).catch(() => {});
    }
  }

  /**
   * Lists ledgers with waiting rows. If the poll fails or is slow, for example because a table is locked, it returns all
   * ledgers: each worker then polls by itself and reports its errors. There is never more than one poll at a time.
   */
  async #listInTime(): Promise<readonly WatchedLedger[]> {
    this.#poll ??= this.#listWaiting()
      .catch(() => this.#ledgers)
      .finally(() => {
        this.#poll = null;
      });
    const timeout = new AbortController();
    const { signal } = timeout;
    const allLedgers = pause(MAX_POLL_MS, this.#ledgers, { signal }).catch(() => this.#ledgers);
    return Promise.race([this.#poll, allLedgers]).finally(() => timeout.abort());
  }

  stop(): void {
    this.#stopped.abort();
  }

  #listWaiting(): Promise<readonly WatchedLedger[]> {
    return this.#platform.database.isSharded ? this.#listSpread() : this.#listAll();
  }

  async #listAll(): Promise<readonly WatchedLedger[]> {
    const views = this.#ledgers.map(({ view }) => view);
    const { rows } = await this.#platform.database.everyTenant('ledgers').raw(
      sql<{
        ordinal: number;
      }>`select ordinal from tessera_waiting_ledgers(${views}::text[]::regclass[]) as ordinal`,
    );
    return rows.flatMap(({ ordinal }) => this.#ledgers[ordinal - 1] ?? []);
  }

  /** Finds tenants by their default units, which are on the same nodes as their rows. @throws if a node cannot be read. */
  async #listSpread(): Promise<readonly WatchedLedger[]> {
    const all = this.#platform.database.everyTenant('ledgers');
    const { rows, failure } = await all.gather((isAskedFor) => {
      const columns = this.#ledgers.map(({ view }, index) => {
        const name = sql.ref(`l${index}`);
        const found = sql`bool_or(${name}.is_waiting)`;
        const lateral = sql`left join lateral (select true as is_waiting from ${sql.table(view)} l
          where l.tenant_id = u.tenant_id and ${isAskedFor('l.tenant_id')} and l.state = 'pending' limit 1) ${name} on true`;
        return { found, lateral };
      });
      return sql<{ waiting: readonly (boolean | null)[] }>`
        select array[${sql.join(columns.map(({ found }) => found))}] as waiting from business_units u
        ${sql.join(
          columns.map(({ lateral }) => lateral),
          sql` `,
        )}
        where u.is_default and ${isAskedFor('u.tenant_id')}`;
    });
    if (failure !== undefined) throw failure;
    return this.#ledgers.filter(
      ({ hasExtraTenants }, index) => hasExtraTenants || rows.some(({ waiting }) => waiting[index]),
    );
  }
}
