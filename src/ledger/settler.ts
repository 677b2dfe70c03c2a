/** Writes what came of attempts in batches: whatever finished while the last batch was being written. */
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { EveryTenantDb } from '../db/every-tenant.ts';
import { isNodeAway } from '../db/node-away.ts';
import { isDataRefused } from '../db/sqlstate.ts';
import { codeOf } from '../errors/error-code.ts';
import { isProgramFault } from '../errors/program-fault.ts';
import type { Platform } from '../platform.ts';
import { closedTenants } from '../tenancy/closed-tenants.ts';
import { brokenOutcome } from './broken-attempts.ts';
import type { Claim, LedgerDefinition, Outcome, Settlement } from './ledger.ts';
import { returnRows, settleRows } from './ledger-queries.ts';

/** How long finished attempts wait for others to be settled with, unless they keep places meanwhile, milliseconds. */
const GATHER_MS = 40;
/** How long to leave a database alone that has just failed, milliseconds. */
const PAUSE_AFTER_ERROR_MS = 1000;
/** How many are settled together: those that come after are claimed while these are written. */
const MOST_TOGETHER = 1000;
/** How many such batches are written at the same time, by connections of their own. */
const BATCHES_AT_ONCE = 2;
/** How often the database may refuse what a ledger writes of a row, before the row alone is written. */
const MOST_REFUSALS = 1;

/** A claim and what came of it. */
export interface Finished<Note> {
  readonly claim: Claim;
  readonly outcome: Outcome<Note>;
  readonly at: Date;
}

/** What the settler must know of a ledger. */
type SettledLedger<Note> = Pick<LedgerDefinition<never, Note>, 'name' | 'table' | 'gate' | 'settle'>;

/** What a settler tells its worker. */
export interface SettlerEvents<Note> {
  /** Whether more than so many attempts are under way or finished: others may be settled with these. */
  readonly hasOthers: (finished: number) => boolean;
  /** These attempts are settled, or given up. */
  readonly release: (batch: readonly Finished<Note>[]) => void;
  /** These attempts are settled when the node that has their rows is back. */
  readonly onAway: (batch: readonly Finished<Note>[]) => void;
}

/** The settler of one worker. */
export class Settler<Note> {
  readonly #platform: Platform;
  readonly #ledger: SettledLedger<Note>;
  readonly #hasOthers: (finished: number) => boolean;
  readonly #release: (batch: readonly Finished<Note>[]) => void;
  readonly #onAway: (batch: readonly Finished<Note>[]) => void;
  /** Tenants whose node was away when something was to be settled, until something is. */
  readonly #away = new Set<string>();
  readonly #finished: Finished<Note>[] = [];
  /** What could not be written when it was tried. */
  readonly #later: Finished<Note>[] = [];
  /** The same, of tenants whose node is away. */
  #ofAway: Finished<Note>[] = [];
  /** Batches that are being written. */
  #settling = 0;
  #isTryingLater = false;
  #isTryingAway = false;
  #stopping = false;

  constructor(platform: Platform, ledger: SettledLedger<Note>, events: SettlerEvents<Note>) {
    this.#platform = platform;
    this.#ledger = ledger;
    this.#hasOthers = events.hasOthers;
    this.#release = events.release;
    this.#onAway = events.onAway;
  }

  /** True while nothing of a tenant may be attempted: what came of it could not be noted, or the tenant is suspended. */
  mustWait(tenantId: string): boolean {
    return this.isAway(tenantId) || closedTenants(this.#platform).has(tenantId);
  }

  /** Whether nothing of this tenant can be settled for now, as the node that has its rows is away. */
  isAway(tenantId: string): boolean {
    return this.#away.has(tenantId);
  }

  /** On a cluster one batch is several already, one for each of its tenants. */
  get #batchesAtOnce(): number {
    return this.#platform.database.isSharded ? 1 : BATCHES_AT_ONCE;
  }

  /** From now on a database that is away is not waited for. */
  stopWaiting(): void {
    this.#stopping = true;
  }

  /** Settles it with others, soon. */
  add(finished: Finished<Note>): void {
    // Those of a tenant whose node is away wait together: each by itself would be one more statement in vain.
    if (this.isAway(finished.claim.tenantId)) this.#settleLater([finished]);
    else this.#settleSoon([finished]);
  }

  #settleSoon(batch: readonly Finished<Note>[]): void {
    this.#finished.push(...batch);
    const isMuch = this.#finished.length >= MOST_TOGETHER && this.#settling < this.#batchesAtOnce;
    if (this.#settling === 0 || isMuch) this.#settleAll();
  }

  /** Reports an error of the ledger, and leaves the database alone for a moment, but for nodes that are there. */
  async reportAndPause(error: unknown): Promise<void> {
    this.#platform.observe({ event: 'ledger.failed', ledger: this.#ledger.name, error });
    if (!isNodeAway(error)) await pause(PAUSE_AFTER_ERROR_MS);
  }

  /** Never rejects: nobody waits for it. */
  async #settleAll(): Promise<void> {
    this.#settling += 1;
    do {
      // Attempts that finish at nearly the same time share their statement.
      const gathers = this.#ledger.gate === undefined && this.#hasOthers(this.#finished.length);
      await (gathers && this.#finished.length < MOST_TOGETHER ? pause(GATHER_MS) : turn());
      const [batch, ofAway] = this.#apart(this.#finished.splice(0, MOST_TOGETHER));
      if (ofAway.length > 0) this.#settleLater(ofAway);
      await this.#settleByTenant(batch);
    } while (this.#finished.length > 0);
    this.#settling -= 1;
  }

  /** Those of tenants whose node is there, and the others. */
  #apart(batch: readonly Finished<Note>[]): [there: Finished<Note>[], away: Finished<Note>[]] {
    const isOfAway = ({ claim }: Finished<Note>) => this.isAway(claim.tenantId);
    return [batch.filter((finished) => !isOfAway(finished)), batch.filter(isOfAway)];
  }

  async #settleByTenant(batch: readonly Finished<Note>[]): Promise<void> {
    const all = this.#platform.database.everyTenant('ledgers');
    await all.byTenant(
      batch,
      ({ claim }) => claim.tenantId,
      (db, own) => this.#settle(db, own),
    );
  }

  /**
   * Settles a batch, or leaves what cannot be written now to a later one; of what was refused so often, with less and less.
   * Never rejects.
   */
  async #settle(db: EveryTenantDb, batch: readonly Finished<Note>[], refusals = 0): Promise<void> {
    const settlements = batch.flatMap(toSettlement);
    const returned = batch.filter(({ outcome }) => outcome.kind === 'returned');
    try {
      if (settlements.length > 0) await this.#write(db, settlements, refusals);
      if (returned.length > 0) await this.#return(db, returned);
    } catch (error) {
      const isRefused = isDataRefused(error) || isProgramFault(error);
      if (isRefused && refusals <= MOST_REFUSALS) return this.#settleApart(db, batch, error, refusals);
      this.#platform.observe({ event: 'ledger.failed', ledger: this.#ledger.name, error });
      // All are given up when the process stops, and so is a row that takes nothing at all: their leases bring them back.
      if (isRefused || this.#stopping) return this.#release(batch);
      if (db.tenantId !== null && isNodeAway(error)) this.#away.add(db.tenantId);
      this.#settleLater(batch);
      return;
    }
    if (db.tenantId !== null && settlements.length + returned.length > 0) this.#away.delete(db.tenantId);
    for (const [outcome, { length: count }] of Map.groupBy(batch, (finished) => finished.outcome.kind)) {
      this.#platform.observe({ event: 'ledger.settled', ledger: this.#ledger.name, outcome, count });
    }
    this.#release(batch);
  }

  /** What cannot be written now must not hold what can: another tenant's node may be there. */
  #settleLater(batch: readonly Finished<Note>[]): void {
    const [there, ofAway] = this.#apart(batch);
    this.#onAway(ofAway);
    this.#later.push(...there);
    this.#ofAway.push(...ofAway);
    if (this.#later.length > 0 && !this.#isTryingLater) this.#tryLater();
    if (this.#ofAway.length > 0 && !this.#isTryingAway) this.#tryAway();
  }

  /** Never rejects: nobody waits for it. */
  async #tryLater(): Promise<void> {
    this.#isTryingLater = true;
    await pause(PAUSE_AFTER_ERROR_MS);
    this.#isTryingLater = false;
    this.#settleSoon(this.#later.splice(0));
  }

  /** Never rejects: nobody waits for it. */
  async #tryAway(): Promise<void> {
    this.#isTryingAway = true;
    while (this.#ofAway.length > 0) {
      await pause(PAUSE_AFTER_ERROR_MS);
      const ids = [...new Set(this.#ofAway.map(({ claim }) => claim.tenantId))];
      const reachable = await this.#listReachable(ids);
      const waiting = this.#ofAway;
      this.#ofAway = waiting.filter(({ claim }) => !reachable.has(claim.tenantId));
      await this.#settleByTenant(waiting.filter(({ claim }) => reachable.has(claim.tenantId)));
    }
    this.#isTryingAway = false;
  }

  /** Who of them may be tried: all when the process stops. Never rejects. */
  async #listReachable(tenantIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (this.#stopping) return new Set(tenantIds);
    const all = this.#platform.database.everyTenant('ledgers');
    return all.listReachable(tenantIds).catch((error: unknown) => {
      this.#platform.observe({ event: 'ledger.failed', ledger: this.#ledger.name, error });
      return new Set<string>();
    });
  }

  /**
   * An outcome that the database refuses, or that breaks what writes it, must not hold the others; by itself it counts as an
   * attempt that broke. Where that cannot be written either, the row alone is, with words that any row takes: else it would
   * come back for ever.
   */
  async #settleApart(
    db: EveryTenantDb,
    batch: readonly Finished<Note>[],
    error: unknown,
    refusals: number,
  ): Promise<void> {
    if (batch.length > 1) {
      for (const finished of batch) await this.#settle(db, [finished]);
      return;
    }
    this.#platform.observe({ event: 'ledger.failed', ledger: this.#ledger.name, error });
    const isOfFault = refusals === 0 || !isDataRefused(error);
    const cause = isOfFault ? error : `the database refuses what has come of it (${codeOf(error)})`;
    const broken = batch.map(({ claim, at }) => ({
      claim,
      outcome: brokenOutcome(this.#platform, claim, cause),
      at,
    }));
    await this.#settle(db, broken, refusals + 1);
  }

  #return(db: EveryTenantDb, returned: readonly Finished<Note>[]): Promise<void> {
    const claims = returned.map(({ claim }) => claim);
    return returnRows(db, this.#ledger.table, claims, this.#platform.clock());
  }

  #write(db: EveryTenantDb, settlements: readonly Settlement<Note>[], refusals: number): Promise<void> {
    const { settle, table } = this.#ledger;
    const isRowAlone = settle === undefined || refusals > MOST_REFUSALS;
    return isRowAlone ? settleRows(db, table, settlements) : settle(db, settlements, this.#platform);
  }
}

function toSettlement<Note>({ claim, outcome, at }: Finished<Note>): Settlement<Note>[] {
  return outcome.kind === 'abandoned' || outcome.kind === 'returned' ? [] : [{ claim, outcome, at }];
}
