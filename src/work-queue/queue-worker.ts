/**
 * Worker of one work queue in one process: claims due rows, target by target in turn, runs a limited number of
 * attempts, and passes their outcomes to the ack writer.
 */

import { randomUUID } from 'node:crypto';
import type { EveryTenantDb } from '../db/every-tenant.ts';
import { isTenantUnavailable } from '../db/tenant-unavailable.ts';
import type { Platform } from '../platform.ts';
import { AckWriter, type FinishedAttempt } from './ack-writer.ts';
import { brokenOutcome } from './broken-attempts.ts';
import type { Claim, NewClaim, Target } from './claim.ts';
import { ClockRecall } from './clock-recall.ts';
import { consumeShares } from './consume-shares.ts';
import { listDueTenants, withoutSuspended } from './due-tenants.ts';
import { FairQueue } from './fair-queue.ts';
import { LeaseRenewal } from './lease-renewal.ts';
import { type Loaded, loadWork } from './load-work.ts';
import { type OpenClaim, OpenClaims } from './open-claims.ts';
import { Pace } from './pace.ts';
import { Turns, targetKey } from './turns.ts';
import { CLUSTER_WATCH_MS, WATCH_MS } from './waiting-watch.ts';
import type { Outcome, WorkQueueDefinition } from './work-queue.ts';
import { claimDue, type Share } from './work-queue-queries.ts';

/** Default of `pollEveryMs`. */
const POLL_MS = WATCH_MS;
/** Maximum number of tenants per poll. */
const TENANTS_PER_POLL = 100;
/** Default of `minPollIntervalMs`: rounds of polls start at least this far apart, so that each finds many rows. */
const MIN_POLL_INTERVAL_MS = 50;
/** Longest wait for a target's slot, in ms; then the row is returned, so that another process may attempt it. */
const MAX_WAIT_MS = 5_000;
/** Rows claimed but not acknowledged, per slot; twice as many as `Turns` assigns. */
const OPEN_PER_SLOT = 8;

/** The worker of one work queue in one process. */
export class QueueWorker<Work, Result = undefined, Row = unknown> {
  readonly #platform: Platform;
  readonly #workQueue: WorkQueueDefinition<Work, Result, Row>;
  /** Counts the claims that occupy slots. */
  readonly #turns: Turns;
  readonly #queue: FairQueue;
  readonly #pace: Pace;
  readonly #ackWriter: AckWriter<Result>;
  /** Limit of claimed rows that are not acknowledged: outcomes that cannot be written must not fill the memory. */
  readonly #maxOpen: number;
  readonly #open: OpenClaims<Row>;
  readonly #renewal: LeaseRenewal<Row>;
  readonly #recall: ClockRecall;
  #stopping = false;
  #isWatched = false;
  /** True if rows may have become due since the current round over the tenants began. */
  #isAwake = true;
  /** Start of the last round on the monotonic clock, in ms. */
  #roundAt = Number.NEGATIVE_INFINITY;
  #interrupt: (() => void) | null = null;
  /** Time of the earliest retry that an attempt of this process requested, in ms since the epoch. */
  #nextRetryAt = Number.POSITIVE_INFINITY;
  #loop: Promise<void> = Promise.resolve();

  constructor(platform: Platform, workQueue: WorkQueueDefinition<Work, Result, Row>) {
    this.#platform = platform;
    this.#workQueue = workQueue;
    const { concurrency, concurrencyPerTarget, gate, minPollIntervalMs = MIN_POLL_INTERVAL_MS } = workQueue;
    const total = typeof concurrency === 'number' ? concurrency : concurrency(platform);
    this.#maxOpen = total * OPEN_PER_SLOT;
    this.#queue = gate?.queue(platform) ?? new FairQueue({ total: total, perTarget: concurrencyPerTarget });
    this.#ackWriter = new AckWriter(platform, workQueue, {
      hasOthers: (finished) => this.#open.size > finished,
      release: (batch) => this.#release(batch),
      // The ack writer blocks further attempts of these tenants, so their slots can go to others.
      onUnavailable: (batch) => {
        for (const { claim } of batch) this.#open.releaseSlot(claim);
      },
    });
    this.#pace = new Pace(minPollIntervalMs);
    const claimsAhead = gate === undefined || gate.claimsAhead === true;
    this.#turns = new Turns({ ...workQueue, concurrency: total }, (tenantId, targetId) => {
      const ahead = claimsAhead ? this.#pace.claimFactor(targetKey(tenantId, targetId)) : 0;
      return Math.max(concurrencyPerTarget, this.#queue.perTarget * ahead);
    });
    this.#recall = new ClockRecall(platform, workQueue);
    this.#open = new OpenClaims(this.#turns, () => this.wake());
    this.#renewal = new LeaseRenewal(platform, workQueue, this.#open);
  }

  /** Starts the worker; call it once. A watched worker polls when `poll` is called, others poll by themselves. */
  start({ isWatched = false } = {}): void {
    this.#isWatched = isWatched;
    this.#renewal.start();
    this.#loop = this.#run();
  }

  /** Implements `WorkQueues.wake`. A target with enough claimed rows needs no wake: it is polled when some are done. */
  wake(target?: Target): void {
    if (target !== undefined && this.#turns.hasEnough(target.tenantId, target.targetId)) return;
    this.#isAwake = true;
    this.#interrupt?.();
  }

  /** Requests a poll because rows are waiting, unless one has just taken place. */
  poll(): void {
    if (performance.now() - this.#roundAt >= this.#pollEveryMs - WATCH_MS / 2) this.wake();
  }

  /** Implements `WorkQueues.claimFor`. */
  claimFor(target: Target): NewClaim | null {
    return this.#hasRoomFor(target) ? this.#newClaim() : null;
  }

  #newClaim(): NewClaim {
    const { leaseSeconds } = this.#renewal;
    return { claimId: randomUUID(), claimedAt: performance.now(), leaseSeconds };
  }

  /** Implements `WorkQueues.begin`. Claims are not counted until now, so claims without room are returned. */
  begin(claims: readonly Claim<Row>[]): void {
    const { added, rejected } = this.#open.addIfRoom(claims, (claim) => this.#hasRoomFor(claim));
    const returned = { outcome: { kind: 'returned' }, at: this.#platform.clock() } as const;
    for (const claim of rejected) this.#ackWriter.add({ claim, ...returned });
    if (added.length > 0) this.#begin(added).catch(this.#report);
  }

  #hasRoomFor({ tenantId, targetId }: Target): boolean {
    if (this.#stopping || this.#ackWriter.mustWait(tenantId)) return false;
    return this.#open.size < this.#maxOpen / 2 && this.#turns.mayBegin(tenantId, targetId);
  }

  /**
   * Stops claiming, returns claimed rows without an attempt, and waits until attempts under way are acknowledged. It
   * does not wait for an unavailable database; those rows return when their leases end.
   */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#ackWriter.stopWaiting();
    this.#queue.timeOut(this);
    this.wake();
    await this.#loop;
    this.#renewal.stop();
  }

  async #run(): Promise<void> {
    while (this.#isRunning) {
      try {
        if (await this.#recall.checkClock(this.#open.ids)) this.#isAwake = true;
        if ((this.#isAwake || !this.#isWatched) && this.#mayClaim() && this.#msUntilRound() <= 0)
          await this.#claimRound();
      } catch (error) {
        await this.#ackWriter.reportAndPause(error);
      }
      if (this.#isRunning) await this.#sleep();
    }
  }

  get #isRunning(): boolean {
    return !this.#stopping || this.#open.size > 0;
  }

  #mayClaim(): boolean {
    return !this.#stopping && this.#turns.hasFreeSlots && this.#open.size < this.#maxOpen;
  }

  get #pollEveryMs(): number {
    const { pollEveryMs = POLL_MS } = this.#workQueue;
    return this.#platform.database.isSharded ? Math.max(pollEveryMs, CLUSTER_WATCH_MS) : pollEveryMs;
  }

  /** Time until the next round may start, in ms. */
  #msUntilRound(): number {
    return this.#roundAt + (this.#workQueue.minPollIntervalMs ?? MIN_POLL_INTERVAL_MS) - performance.now();
  }

  /** Claims rows of the tenants, page by page, until the round ends or no slot is free. */
  async #claimRound(): Promise<void> {
    await this.#renewal.renewEnded();
    this.#roundAt = performance.now();
    this.#isAwake = false;
    this.#turns.beginRound();
    do await this.#claimPage();
    while (this.#turns.lastTenant !== null && this.#mayClaim());
    // Another round may find more.
    if (this.#turns.hasMoreWork) this.#isAwake = true;
  }

  /** Claims rows of the next tenants and starts their attempts. */
  async #claimPage(): Promise<void> {
    const all = this.#platform.database.everyTenant('work-queues');
    const { concurrencyPerTarget, concurrencyPerTenant } = this.#workQueue;
    const now = this.#platform.clock();
    const known = this.#turns.knownTenants();
    const poll = {
      after: this.#turns.lastTenant,
      tenants: TENANTS_PER_POLL,
      perTarget: concurrencyPerTarget,
      perTenant: concurrencyPerTenant,
      known,
    };
    const page = await listDueTenants(all, this.#workQueue, now, poll, this.#report);
    const shares = this.#turns.assign(withoutSuspended(page, this.#platform), known);
    await all.byTenant(
      shares,
      (share) => share.tenant_id,
      (db, own) => this.#claim(db, own),
    );
  }

  async #claim(db: EveryTenantDb, assigned: readonly Share[]): Promise<void> {
    const shares = await consumeShares(this.#platform, this.#workQueue, assigned);
    if (shares.length === 0) return;
    const claims = await claimDue<Row>(db, this.#workQueue, shares, this.#platform.clock(), this.#newClaim());
    const opened = claims
      .filter((claim) => !this.#open.continueWith(claim))
      .map((claim) => this.#open.add(claim));
    if (opened.length > 0) await this.#begin(opened);
  }

  readonly #report = (error: unknown): void => {
    this.#platform.observe({ event: 'work_queue.failed', workQueue: this.#workQueue.name, error });
  };

  /**
   * Loads the work of claims and starts their attempts. @throws if it cannot be loaded; rows return with their leases.
   */
  async #begin(opened: readonly OpenClaim<Row>[]): Promise<void> {
    const claims = opened.map(({ claim }) => claim);
    const onError = (error: unknown) => this.#ackWriter.reportAndPause(error);
    const work = await loadWork(this.#platform, this.#workQueue, claims, onError).catch((error: unknown) => {
      for (const claim of claims) this.#open.drop(claim);
      throw error;
    });
    this.#platform.observe({
      event: 'work_queue.claimed',
      workQueue: this.#workQueue.name,
      count: claims.length,
    });
    for (const open of opened) this.#process(open, work.get(open.claim.id));
  }

  /** Makes an attempt and passes its outcome to the ack writer. Never rejects; no caller awaits it. */
  async #process(open: OpenClaim<Row>, loaded: Loaded<Work> | undefined): Promise<void> {
    const { claim } = open;
    let outcome: Outcome<Result>;
    try {
      outcome = await this.#attempt(open, loaded);
    } catch (error) {
      outcome = this.#outcomeOfError(claim, error);
    }
    if (loaded !== undefined && 'work' in loaded) this.#workQueue.release?.(loaded.work);
    if (this.#workQueue.gate === undefined) this.#open.releaseSlot(claim);
    this.#open.finish(claim);
    this.#ackWriter.add({ claim, outcome, at: this.#platform.clock() });
  }

  #outcomeOfError(claim: Claim, error: unknown): Outcome<Result> {
    // The row is not at fault. The ack writer cannot reach the node either, and reports the error.
    if (isTenantUnavailable(error)) return { kind: 'returned' };
    this.#report(error);
    return brokenOutcome(this.#platform, claim, error);
  }

  async #attempt(open: OpenClaim<Row>, loaded?: Loaded<Work>): Promise<Outcome<Result>> {
    if (loaded === undefined) return { kind: 'drop' };
    if ('error' in loaded) throw loaded.error;
    const { claim } = open;
    if (this.#mustReturn(claim)) return { kind: 'returned' };
    const { prepare, attempt, gate } = this.#workQueue;
    const ended = await prepare?.(this.#platform, claim, loaded.work);
    if (ended) return ended;
    if (this.#mustReturn(claim)) return { kind: 'returned' };
    const target = targetKey(claim.tenantId, claim.targetId);
    const release = await this.#queue.enter({
      lane: gate?.lane ?? 0,
      tenantId: claim.tenantId,
      targetId: gate === undefined ? target : claim.targetId,
      owner: this,
      maxWaitMs: (gate?.maxWaitMs ?? MAX_WAIT_MS) - (performance.now() - claim.claimedAt),
    });
    if (release === null) return { kind: gate === undefined || this.#stopping ? 'returned' : 'abandoned' };
    open.release = release;
    if (!this.#renewal.isValid(open)) return { kind: 'abandoned' };
    if (this.#mustReturn(claim)) return { kind: 'returned' };
    const startedAt = performance.now();
    const outcome = await attempt(this.#platform, claim, loaded.work);
    this.#pace.record(target, performance.now() - startedAt);
    return outcome;
  }

  #mustReturn({ tenantId }: Claim): boolean {
    return this.#stopping || this.#ackWriter.mustWait(tenantId);
  }

  #release(batch: readonly FinishedAttempt<Result>[]): void {
    const nextPoll = this.#platform.clock().getTime() + this.#pollEveryMs;
    for (const { claim, outcome } of batch) {
      this.#open.drop(claim);
      if (outcome.kind !== 'retry') continue;
      this.#nextRetryAt = Math.min(this.#nextRetryAt, outcome.dueAt.getTime());
      if (this.#nextRetryAt <= nextPoll) this.wake();
    }
    if (this.#stopping) this.wake();
    // Rows that waited for these belong to the same targets.
    else if (this.#workQueue.isOrdered) for (const { claim } of batch) this.wake(claim);
  }

  /**
   * Waits until woken, until the next known retry is due, or until the next poll. If rows may be due already, waits
   * only until the next round may start.
   */
  #sleep(): Promise<void> {
    const msUntilRetry = Math.max(0, this.#nextRetryAt - this.#platform.clock().getTime());
    if (msUntilRetry <= this.#pollEveryMs) this.#nextRetryAt = Number.POSITIVE_INFINITY;
    const isThrottled = this.#isAwake && this.#mayClaim();
    const wait = isThrottled ? Math.max(0, this.#msUntilRound()) : Math.min(this.#pollEveryMs, msUntilRetry);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        if (msUntilRetry <= wait) this.#isAwake = true;
        resolve();
      }, wait);
      const interrupt = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#interrupt = isThrottled ? null : interrupt;
    });
  }
}
