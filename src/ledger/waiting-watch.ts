/** Looks for ledgers with waiting rows, in one statement for all of a process: most of them have none most of the time. */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Platform } from '../platform.ts';
import type { LedgerWorker } from './ledger-worker.ts';

/** How often it is looked, milliseconds. */
export const WATCH_MS = 300;
/** The same where tenants are spread over nodes: a look asks all of them, and all tenants that they have. */
export const SPREAD_WATCH_MS = 1000;

/** Longer than that nobody waits for a look, milliseconds. */
const LONGEST_LOOK_MS = 3000;

/** A ledger whose worker is told. */
export interface WatchedLedger {
  /** Its table, or the view of its rows. */
  readonly view: string;
  /** Whether it has rows of no tenant, too. */
  readonly hasBesides: boolean;
  readonly worker: Pick<LedgerWorker<never>, 'poll'>;
}

/** The watch of a process. */
export class WaitingWatch {
  readonly #platform: Platform;
  readonly #ledgers: readonly WatchedLedger[];
  readonly #stopped = new AbortController();
  /** What is under way. */
  #look: Promise<readonly WatchedLedger[]> | null = null;

  constructor(platform: Platform, ledgers: readonly WatchedLedger[]) {
    this.#platform = platform;
    this.#ledgers = ledgers;
  }

  /** Looks again and again, until `stop` is called. Never rejects: nobody waits for it. */
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
   * Where it could not be looked, or takes too long, as one table is held, say, each worker looks by itself, and tells what it meets.
   * A look that takes long is waited for by the next: there are never two.
   */
  async #listInTime(): Promise<readonly WatchedLedger[]> {
    this.#look ??= this.#listWaiting()
      .catch(() => this.#ledgers)
      .finally(() => {
        this.#look = null;
      });
    const tooLate = new AbortController();
    const { signal } = tooLate;
    const late = pause(LONGEST_LOOK_MS, this.#ledgers, { signal }).catch(() => this.#ledgers);
    return Promise.race([this.#look, late]).finally(() => tooLate.abort());
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
        place: number;
      }>`select place from tessera_waiting_ledgers(${views}::text[]::regclass[]) as place`,
    );
    return rows.flatMap(({ place }) => this.#ledgers[place - 1] ?? []);
  }

  /** Tenants are asked for by their default units, which are where their rows are. @throws when some cannot be asked. */
  async #listSpread(): Promise<readonly WatchedLedger[]> {
    const all = this.#platform.database.everyTenant('ledgers');
    const { rows, failure } = await all.gather((isAskedFor) => {
      const places = this.#ledgers.map(({ view }, index) => {
        const name = sql.ref(`l${index}`);
        const found = sql`bool_or(${name}.is_waiting)`;
        const look = sql`left join lateral (select true as is_waiting from ${sql.table(view)} l
          where l.tenant_id = u.tenant_id and ${isAskedFor('l.tenant_id')} and l.state = 'pending' limit 1) ${name} on true`;
        return { found, look };
      });
      return sql<{ waiting: readonly (boolean | null)[] }>`
        select array[${sql.join(places.map(({ found }) => found))}] as waiting from business_units u
        ${sql.join(
          places.map(({ look }) => look),
          sql` `,
        )}
        where u.is_default and ${isAskedFor('u.tenant_id')}`;
    });
    if (failure !== undefined) throw failure;
    return this.#ledgers.filter(
      ({ hasBesides }, index) => hasBesides || rows.some(({ waiting }) => waiting[index]),
    );
  }
}
