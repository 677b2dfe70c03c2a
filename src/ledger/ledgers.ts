import { runAs } from '../db/work-kind.ts';
import type { Platform } from '../platform.ts';
import type { Claim, Ledger, Target } from './ledger.ts';
import { countPending, type LiveLeases, recallRows } from './ledger-queries.ts';
import { WaitingWatch, type WatchedLedger } from './waiting-watch.ts';

/** Upper bound of the pending count, which limits its cost. */
const MAX_COUNTED = 100_000;

const NO_LEASES: LiveLeases = { endAt: new Date(0), openIds: [] };

/** The ledgers of one process. */
export interface Ledgers {
  /** Wakes this process's worker because rows of a ledger, or of `target`, may be due; other processes poll. */
  wake(ledger: Pick<Ledger, 'name'>, target?: Target): void;
  /**
   * Returns the end of a lease for a new row of a target, which this process starts after the commit with `begin`.
   * Returns null if this process has no room extraTenantIds waiting rows; the row is then created without a lease. Only for
   * ordered ledgers, because only they poll at once for returned rows.
   */
  leaseFor(ledger: Pick<Ledger, 'name'>, target: Target): Date | null;
  /**
   * Starts rows that were created with such leases. Rows without room are returned and due at once. If the process
   * ends first, rows return when their leases end.
   */
  begin(ledger: Pick<Ledger, 'name'>, claims: readonly Claim[]): void;
  start(platform: Platform, ledgers: readonly Ledger[]): Promise<void>;
  /** Stops claiming and waits for attempts under way. */
  stop(): Promise<void>;
}

/** Creates the ledgers of a process. They work only after `start`; until then, and in a web-only process, `wake` has no effect. */
export function createLedgers(): Ledgers {
  const workers = new Map<string, ReturnType<Ledger['createWorker']>>();
  let watch: WaitingWatch | undefined;
  return {
    wake: (ledger, target) => workers.get(ledger.name)?.wake(target),
    leaseFor: (ledger, target) => workers.get(ledger.name)?.leaseFor(target) ?? null,
    // The rows may come from a request; their work must not count as part of it.
    begin: (ledger, claims) => runAs('job', () => workers.get(ledger.name)?.begin(claims)),
    async start(platform, ledgers) {
      const watched: WatchedLedger[] = [];
      for (const ledger of ledgers) {
        // The embedded database has one process, so every previous lease is dead.
        if (platform.database.kind === 'embedded')
          await recallRows(platform, ledger, platform.clock(), NO_LEASES);
        platform.metrics.gauge(
          `tessera_ledger_${ledger.name.replaceAll('-', '_')}_pending`,
          `Rows of the ledger ${ledger.name} that wait or are under way, counted up to ${MAX_COUNTED}.`,
          () => countPending(platform.database.everyTenant('ledgers'), ledger, MAX_COUNTED),
        );
        const worker = ledger.createWorker(platform);
        workers.set(ledger.name, worker);
        const { view = ledger.table, extraTenantIds = [] } = ledger;
        watched.push({ view, hasExtraTenants: extraTenantIds.length > 0, worker });
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
