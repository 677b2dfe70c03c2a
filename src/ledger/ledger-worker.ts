/**
 * Works one ledger in one process: claims due rows in turn over their targets, keeps a bounded number of attempts
 * under way, and settles finished ones in batches (whatever finished while the last batch was being written).
 */
import { setTimeout as pause } from 'node:timers/promises';
import { isDataRefused } from '../db/sqlstate.ts';
import type { Platform } from '../platform.ts';
import { ClockWatch } from './clock-watch.ts';
import type { Claim, Ledger, Settlement } from './ledger.ts';
import { claimDue, listDueTenants, recallRows, type Share, settleAll } from './ledger-queries.ts';
import { TargetQueues } from './target-queues.ts';
import { Turns } from './turns.ts';

/** How often a quiet ledger looks for rows that other processes wrote or that became due, milliseconds. */
const POLL_MS = 300;
/** Tenants with waiting rows that one look visits. */
const TENANTS_PER_LOOK = 100;
/** A look that claims fewer rows than this, or none, was hardly worth its statements. */
const FEW_CLAIMS = 16;
/** How long after such a look the next round begins at the earliest, milliseconds. */
const QUIET_GAP_MS = 50;
/** How long finished attempts wait for others to be settled with, milliseconds. */
const GATHER_MS = 15;
/** How long to leave a database alone that has just failed, milliseconds. */
const PAUSE_AFTER_ERROR_MS = 1000;

/** How far apart the clocks of several processes may be for a recall to tell a live lease, milliseconds. */
const CLOCKS_APART_MS = 60_000;

/** The worker of one ledger. */
export class LedgerWorker {
  readonly #platform: Platform;
  readonly #ledger: Ledger;
  /** Attempts claimed and not yet settled. */
  readonly #turns: Turns;
  readonly #queues: TargetQueues;
  /** When the last look began that found little to do; the next one waits for more to come together. */
  #quietSince = Number.NEGATIVE_INFINITY;
  #finished: Settlement[] = [];
  /** Claims that are not yet settled, by row id. */
  readonly #held = new Map<string, Claim>();
  readonly #clockWatch = new ClockWatch();
  /** When to recall rows that a clock which was ahead has left behind, by the monotonic clock; null: nothing to do. */
  #recallAt: number | null = null;
  #stopping = false;
  /** Whether rows may have become due since the current round over the tenants began. */
  #isAwake = false;
  /** When the last claim that found rows began, by the monotonic clock, milliseconds. */
  #claimedAt = Number.NEGATIVE_INFINITY;
  #interrupt: (() => void) | null = null;
  /** The earliest retry that an attempt of this process asked for, milliseconds since the epoch. */
  #nextRetryAt = Number.POSITIVE_INFINITY;
  #loop: Promise<void> = Promise.resolve();
  #isSettling = false;

  constructor(platform: Platform, ledger: Ledger) {
    this.#platform = platform;
    this.#ledger = ledger;
    const { concurrency } = ledger;
    this.#queues = new TargetQueues(ledger.concurrencyPerTarget, (settlement) => this.#finish(settlement));
    this.#turns = new Turns(
      { ...ledger, concurrency: typeof concurrency === 'number' ? concurrency : concurrency(platform) },
      (tenantId, targetId) => this.#queues.claimsOf(tenantId, targetId),
    );
  }

  /** Begins to work; call it once. */
  start(): void {
    this.#loop = this.#run();
  }

  /** Says that rows may have become due: called after the commit that wrote them. */
  wake(): void {
    this.#isAwake = true;
    this.#interrupt?.();
  }

  /**
   * Claims nothing more and waits until what is under way is settled. A database that is away is not waited for:
   * the leases bring those rows back.
   */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.wake();
    await this.#loop;
  }

  async #run(): Promise<void> {
    while (this.#goesOn) {
      try {
        await this.#mindClock();
        if (this.#mayClaim() && (await this.#claim())) continue;
      } catch (error) {
        await this.#reportAndPause(error);
      }
      if (this.#goesOn && !(this.#isAwake && this.#mayClaim())) await this.#sleep();
    }
  }

  get #goesOn(): boolean {
    return !this.#stopping || this.#turns.claimed > 0;
  }

  #mayClaim(): boolean {
    return !this.#stopping && this.#turns.hasFreePlaces && this.#restMs() <= 0;
  }

  /** How long not to claim yet, milliseconds. */
  #restMs(): number {
    return this.#claimedAt + (this.#ledger.claimEveryMs ?? 0) - performance.now();
  }

  /** Claims once; true when there may be more to claim at once. */
  async #claim(): Promise<boolean> {
    if (this.#turns.lastTenant === null) await this.#beginRound();
    const { everyTenant } = this.#platform.database;
    const startedAt = performance.now();
    const now = this.#platform.clock();
    const known = this.#turns.knownTenants();
    const look = { after: this.#turns.lastTenant, size: TENANTS_PER_LOOK, known };
    const shares = this.#turns.deal(await listDueTenants(everyTenant, this.#ledger, look, now), known);
    const claimed = shares.length > 0 ? await this.#claimShares(shares, now) : 0;
    this.#quietSince = claimed < FEW_CLAIMS ? startedAt : Number.NEGATIVE_INFINITY;
    return this.#turns.goesOn;
  }

  async #beginRound(): Promise<void> {
    const sinceQuiet = performance.now() - this.#quietSince;
    if (sinceQuiet < QUIET_GAP_MS) await pause(QUIET_GAP_MS - sinceQuiet);
    this.#isAwake = false;
    this.#turns.beginRound();
  }

  /** Claims rows and begins their attempts; returns how many. */
  async #claimShares(shares: readonly Share[], now: Date): Promise<number> {
    this.#claimedAt = performance.now();
    const leasedUntil = new Date(now.getTime() + this.#ledger.leaseSeconds(this.#platform) * 1000);
    const { everyTenant } = this.#platform.database;
    const claims = await claimDue(everyTenant, this.#ledger, shares, now, leasedUntil);
    if (claims.length > 0) await this.#begin(claims);
    return claims.length;
  }

  /**
   * After the clock was set back, rows wait for a time that is far off: they are given one that the rules allow. Other
   * processes are given the time of a lease to settle what they hold.
   */
  async #mindClock(): Promise<void> {
    const now = this.#platform.clock();
    const leaseMs = this.#ledger.leaseSeconds(this.#platform) * 1000;
    const isAlone = this.#platform.database.kind === 'embedded';
    if (this.#clockWatch.sawJumpBack(now)) this.#recallAt = performance.now() + (isAlone ? 0 : leaseMs);
    if (this.#recallAt === null || performance.now() < this.#recallAt) return;
    const endAt = new Date(isAlone ? 0 : now.getTime() + leaseMs + CLOCKS_APART_MS);
    await recallRows(this.#platform, this.#ledger, now, { endAt, heldIds: [...this.#held.keys()] });
    this.#recallAt = null;
    this.#isAwake = true;
  }

  /** After the clock was set forward, leases of attempts under way are over: such a claim only renews the lease. */
  #renews(claim: Claim): boolean {
    const held = this.#held.get(claim.id);
    if (held === undefined) return false;
    held.leasedUntil = claim.leasedUntil;
    return true;
  }

  async #begin(claimed: readonly Claim[]): Promise<void> {
    const claims = claimed.filter((claim) => !this.#renews(claim));
    if (claims.length === 0) return;
    const attempts = await this.#ledger.prepare(this.#platform, claims);
    this.#platform.observe({ event: 'ledger.claimed', ledger: this.#ledger.name, count: claims.length });
    for (const claim of claims) {
      this.#held.set(claim.id, claim);
      this.#turns.count(claim.tenantId, claim.targetId, 1);
    }
    for (const attempt of attempts) this.#queues.add(attempt);
  }

  #finish(settlement: Settlement): void {
    this.#finished.push(settlement);
    if (!this.#isSettling) this.#settle();
  }

  /** Never rejects: nobody waits for it. */
  async #settle(): Promise<void> {
    this.#isSettling = true;
    // Attempts that finish at nearly the same time share their statements.
    await pause(GATHER_MS);
    while (this.#finished.length > 0) {
      const batch = this.#finished;
      this.#finished = [];
      await this.#write(batch);
    }
    this.#isSettling = false;
  }

  /** Writes a batch; what cannot be written now waits for the next one. False when the database is away. */
  async #write(batch: readonly Settlement[]): Promise<boolean> {
    const unwritten = batch.filter(({ outcome }) => !('isSettled' in outcome));
    try {
      if (unwritten.length > 0) await this.#writeOutcomes(unwritten);
    } catch (error) {
      if (isDataRefused(error)) return this.#writeApart(batch, error);
      await this.#putBack(batch, error);
      return false;
    }
    for (const [outcome, { length: count }] of Map.groupBy(batch, (settlement) => settlement.outcome.kind)) {
      this.#platform.observe({ event: 'ledger.settled', ledger: this.#ledger.name, outcome, count });
    }
    this.#release(batch);
    return true;
  }

  /** One row that the database refuses must not hold the others: it is abandoned, and its lease brings it back. */
  async #writeApart(batch: readonly Settlement[], error: unknown): Promise<boolean> {
    if (batch.length > 1) {
      for (const [index, settlement] of batch.entries()) {
        if (await this.#write([settlement])) continue;
        this.#keepOrRelease(batch.slice(index + 1));
        return false;
      }
      return true;
    }
    this.#platform.observe({ event: 'ledger.failed', ledger: this.#ledger.name, error });
    this.#release(batch.map((settlement) => ({ ...settlement, outcome: { kind: 'abandoned' } })));
    return true;
  }

  /** The database is away. */
  async #putBack(batch: readonly Settlement[], error: unknown): Promise<void> {
    await this.#reportAndPause(error);
    this.#keepOrRelease(batch);
  }

  /** Keeps what is not written for the next batch; a process that stops waits no longer for the database. */
  #keepOrRelease(batch: readonly Settlement[]): void {
    if (this.#stopping) this.#release(batch);
    else this.#finished.push(...batch);
  }

  #writeOutcomes(settlements: readonly Settlement[]): Promise<void> {
    const { everyTenant } = this.#platform.database;
    const { afterSettle } = this.#ledger;
    if (afterSettle === undefined) return settleAll(everyTenant, this.#ledger, settlements);
    return everyTenant.transaction().execute(async (query) => {
      await settleAll(query, this.#ledger, settlements);
      await afterSettle(query, settlements);
    });
  }

  #release(batch: readonly Settlement[]): void {
    for (const { claim, outcome } of batch) {
      this.#held.delete(claim.id);
      this.#turns.count(claim.tenantId, claim.targetId, -1);
      if (outcome.kind === 'retry') this.#nextRetryAt = Math.min(this.#nextRetryAt, outcome.dueAt.getTime());
    }
    this.#ledger.afterCommit?.(this.#platform, batch);
    this.wake();
  }

  async #reportAndPause(error: unknown): Promise<void> {
    this.#platform.observe({ event: 'ledger.failed', ledger: this.#ledger.name, error });
    await pause(PAUSE_AFTER_ERROR_MS);
  }

  /** Until woken, until the next retry that this process knows of is due, or until it is time to look again. */
  #sleep(): Promise<void> {
    const untilRetry = Math.max(0, this.#nextRetryAt - this.#platform.clock().getTime());
    if (untilRetry <= POLL_MS) this.#nextRetryAt = Number.POSITIVE_INFINITY;
    return new Promise((resolve) => {
      const mayClaimSoon = this.#isAwake && this.#turns.hasFreePlaces && !this.#stopping;
      const untilClaim = mayClaimSoon ? Math.max(0, this.#restMs()) : POLL_MS;
      const timer = setTimeout(resolve, Math.min(untilClaim, untilRetry));
      this.#interrupt = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
