import { runAs } from '../db/work-kind.ts';
import type { Platform } from '../platform.ts';
import type { Claim, Ledger, Target } from './ledger.ts';
import { countPending, type LiveLeases, recallRows } from './ledger-queries.ts';
import { WaitingWatch, type WatchedLedger } from './waiting-watch.ts';

/** A longer backlog than this is told as this: counting must not cost more than it tells. */
const MOST_COUNTED = 100_000;

const NO_LEASES: LiveLeases = { endAt: new Date(0), heldIds: [] };

/** The ledgers of one process. */
export interface Ledgers {
  /** Tells this process's worker that rows of a ledger may be due, all of `target` if it is named; other processes poll. */
  wake(ledger: Pick<Ledger, 'name'>, target?: Target): void;
  /**
   * The end of the lease with which a row of a target may be made, to be begun by this process after the commit, by `begin`; null:
   * this process has no room for it beside rows that wait, and it is made as one that waits. For ordered ledgers: only they look at once
   * for what is given back.
   */
  leaseFor(ledger: Pick<Ledger, 'name'>, target: Target): Date | null;
  /**
   * Begins rows that were made with such leases; those for which there is no room any more are given back, due at once. Should this
   * process end before it has, their leases bring them back.
   */
  begin(ledger: Pick<Ledger, 'name'>, claims: readonly Claim[]): void;
  start(platform: Platform, ledgers: readonly Ledger[]): Promise<void>;
  /** Claims nothing more and waits for the attempts under way. */
  stop(): Promise<void>;
}

/** Ledgers that work once started; in a process that only serves HTTP they never are, and `wake` does nothing. */
export function createLedgers(): Ledgers {
  const workers = new Map<string, ReturnType<Ledger['createWorker']>>();
  let watch: WaitingWatch | undefined;
  return {
    wake: (ledger, target) => workers.get(ledger.name)?.wake(target),
    leaseFor: (ledger, target) => workers.get(ledger.name)?.leaseFor(target) ?? null,
    // A request may have made them: what they do is no part of it.
    begin: (ledger, claims) => runAs('job', () => workers.get(ledger.name)?.begin(claims)),
    async start(platform, ledgers) {
      const watched: WatchedLedger[] = [];
      for (const ledger of ledgers) {
        // The embedded database has one process: whoever held a lease is dead.
        if (platform.database.kind === 'embedded')
          await recallRows(platform, ledger, platform.clock(), NO_LEASES);
        platform.metrics.gauge(
          `tessera_ledger_${ledger.name.replaceAll('-', '_')}_pending`,
          `Rows of the ledger ${ledger.name} that wait or are under way, counted up to ${MOST_COUNTED}.`,
          () => countPending(platform.database.everyTenant('ledgers'), ledger, MOST_COUNTED),
        );
        const worker = ledger.createWorker(platform);
        workers.set(ledger.name, worker);
        const { view = ledger.table, besides = [] } = ledger;
        watched.push({ view, hasBesides: besides.length > 0, worker });
        runAs('job', () => worker.start({ isWatched: true }));
      }
      watch = new WaitingWatch(platform, watched);
      void watch.start();
    },
    async stop() {
      watch?.stop();
      await Promise.all([...workers.values()].map((worker) => worker.stop()));
    },
  };
}
