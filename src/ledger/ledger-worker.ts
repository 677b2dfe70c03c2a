/**
 * Works one ledger in one process: claims due rows in turn over their targets, keeps a bounded number of attempts
 * under way, and has what came of them settled.
 */
import type { EveryTenantDb } from '../db/every-tenant.ts';
import { isNodeAway } from '../db/node-away.ts';
import type { Platform } from '../platform.ts';
import { brokenOutcome } from './broken-attempts.ts';
import { ClockRecall } from './clock-recall.ts';
import { consumeShares } from './consuming.ts';
import { listDueTenants, withoutClosed } from './due-tenants.ts';
import { FairQueue } from './fair-queue.ts';
import { type Held, HeldClaims } from './held-claims.ts';
import type { Claim, LedgerDefinition, Outcome, Target } from './ledger.ts';
import { claimDue, type Share } from './ledger-queries.ts';
import { type Loaded, loadWork } from './loading.ts';
import { Pace } from './pace.ts';
import { type Finished, Settler } from './settler.ts';
import { Turns, targetKey } from './turns.ts';
import { SPREAD_WATCH_MS, WATCH_MS } from './waiting-watch.ts';

/** The usual `pollEveryMs`. */
const POLL_MS = WATCH_MS;
/** Tenants with waiting rows that one look visits. */
const TENANTS_PER_LOOK = 100;
/** How long after a look the next round begins at the earliest, so that each finds many rows, milliseconds. */
const LOOK_EVERY_MS = 50;
/** An attempt that waited longer for its target might outlive its lease, milliseconds. */
const LONGEST_WAIT_MS = 5_000;
/** Rows that may be claimed and not settled for each attempt under way: twice as many as are dealt out. */
const HELD_PER_PLACE = 8;
/** The worker of one ledger. */
export class LedgerWorker<Work, Note = undefined, Row = unknown> {
  readonly #platform: Platform;
  readonly #ledger: LedgerDefinition<Work, Note, Row>;
  /** Attempts claimed that still have their places. */
  readonly #turns: Turns;
  readonly #queue: FairQueue;
  readonly #pace: Pace;
  readonly #settler: Settler<Note>;
  /** Rows that may be claimed and not settled: what cannot be written must not fill the memory. */
  readonly #mostHeld: number;
  readonly #held: HeldClaims<Row>;
  readonly #recall: ClockRecall;
  #stopping = false;
  #isWatched = false;
  /** Whether rows may have become due since the current round over the tenants began. */
  #isAwake = true;
  /** When the last round began, by the monotonic clock, milliseconds. */
  #roundAt = Number.NEGATIVE_INFINITY;
  #interrupt: (() => void) | null = null;
  /** The earliest retry that an attempt of this process asked for, milliseconds since the epoch. */
  #nextRetryAt = Number.POSITIVE_INFINITY;
  #loop: Promise<void> = Promise.resolve();

  constructor(platform: Platform, ledger: LedgerDefinition<Work, Note, Row>) {
    this.#platform = platform;
    this.#ledger = ledger;
    const { concurrency, concurrencyPerTarget, gate, lookEveryMs = LOOK_EVERY_MS } = ledger;
    const inAll = typeof concurrency === 'number' ? concurrency : concurrency(platform);
    this.#mostHeld = inAll * HELD_PER_PLACE;
    this.#queue = gate?.queue(platform) ?? new FairQueue({ inAll, perTarget: concurrencyPerTarget });
    this.#settler = new Settler(platform, ledger, {
      hasOthers: (finished) => this.#held.size > finished,
      release: (batch) => this.#release(batch),
      // No further attempt of their tenants is made until they are settled.
      onAway: (batch) => {
        for (const { claim } of batch) this.#held.giveBack(claim);
      },
    });
    this.#pace = new Pace(lookEveryMs);
    const claimsAhead = gate === undefined || gate.claimsAhead === true;
    this.#turns = new Turns({ ...ledger, concurrency: inAll }, (tenantId, targetId) => {
      const ahead = claimsAhead ? this.#pace.aheadOf(targetKey(tenantId, targetId)) : 0;
      return Math.max(concurrencyPerTarget, this.#queue.perTarget * ahead);
    });
    this.#recall = new ClockRecall(platform, ledger);
    this.#held = new HeldClaims(this.#turns, () => this.wake());
  }

  /** Begins to work; call it once. One that is watched is told of waiting rows by `poll`, others look for them. */
  start({ isWatched = false } = {}): void {
    this.#isWatched = isWatched;
    this.#loop = this.#run();
  }

  /** `Ledgers.wake`. Rows of a target that has enough are looked for when some of those are done. */
  wake(target?: Target): void {
    if (target !== undefined && this.#turns.hasEnough(target.tenantId, target.targetId)) return;
    this.#isAwake = true;
    this.#interrupt?.();
  }

  /** Says that rows wait, perhaps for times to come: they are looked through unless that was just done. */
  poll(): void {
    if (performance.now() - this.#roundAt >= this.#pollEveryMs - WATCH_MS / 2) this.wake();
  }

  /** `Ledgers.leaseFor`. */
  leaseFor(target: Target): Date | null {
    return this.#hasRoomFor(target) ? this.#leaseFrom(this.#platform.clock()) : null;
  }

  /** `Ledgers.begin`. Whoever asked for leases may have asked for many before any of them counts: what has no room is given back. */
  begin(claims: readonly Claim<Row>[]): void {
    const { added, left } = this.#held.addWithRoom(claims, (claim) => this.#hasRoomFor(claim));
    const returned = { outcome: { kind: 'returned' }, at: this.#platform.clock() } as const;
    for (const claim of left) this.#settler.add({ claim, ...returned });
    if (added.length > 0) this.#begin(added, performance.now()).catch(this.#report);
  }

  #hasRoomFor({ tenantId, targetId }: Target): boolean {
    if (this.#stopping || this.#settler.mustWait(tenantId)) return false;
    return this.#held.size < this.#mostHeld / 2 && this.#turns.mayBegin(tenantId, targetId);
  }

  /**
   * Claims nothing more and waits until what is under way is settled. A database that is away is not waited for:
   * the leases bring those rows back.
   */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#settler.stopWaiting();
    this.wake();
    await this.#loop;
  }

  async #run(): Promise<void> {
    while (this.#goesOn) {
      try {
        if (await this.#recall.mind(this.#held.ids)) this.#isAwake = true;
        if ((this.#isAwake || !this.#isWatched) && this.#mayClaim() && this.#restMs() <= 0)
          await this.#claimRound();
      } catch (error) {
        await this.#settler.reportAndPause(error);
      }
      if (this.#goesOn) await this.#sleep();
    }
  }

  get #goesOn(): boolean {
    return !this.#stopping || this.#held.size > 0;
  }

  #mayClaim(): boolean {
    return !this.#stopping && this.#turns.hasFreePlaces && this.#held.size < this.#mostHeld;
  }

  get #pollEveryMs(): number {
    const { pollEveryMs = POLL_MS } = this.#ledger;
    return this.#platform.database.isSharded ? Math.max(pollEveryMs, SPREAD_WATCH_MS) : pollEveryMs;
  }

  /** How long not to look yet, milliseconds. */
  #restMs(): number {
    return this.#roundAt + (this.#ledger.lookEveryMs ?? LOOK_EVERY_MS) - performance.now();
  }

  /** Goes over the tenants, page by page, until all have had their turn or no place is left. */
  async #claimRound(): Promise<void> {
    this.#roundAt = performance.now();
    this.#isAwake = false;
    this.#turns.beginRound();
    do await this.#claimPage();
    while (this.#turns.lastTenant !== null && this.#mayClaim());
    // Another round may find more.
    if (this.#turns.goesOn) this.#isAwake = true;
  }

  /** Claims rows of the next tenants and begins their attempts. */
  async #claimPage(): Promise<void> {
    const all = this.#platform.database.everyTenant('ledgers');
    const { concurrencyPerTarget, concurrencyPerTenant } = this.#ledger;
    const now = this.#platform.clock();
    const known = this.#turns.knownTenants();
    const look = {
      after: this.#turns.lastTenant,
      tenants: TENANTS_PER_LOOK,
      perTarget: concurrencyPerTarget,
      perTenant: concurrencyPerTenant,
      known,
    };
    const page = await listDueTenants(all, this.#ledger, now, look, this.#report);
    const shares = this.#turns.deal(withoutClosed(page, this.#platform), known);
    await all.byTenant(
      shares,
      (share) => share.tenant_id,
      (db, own) => this.#claim(db, own),
    );
  }

  async #claim(db: EveryTenantDb, dealt: readonly Share[]): Promise<void> {
    const shares = await consumeShares(this.#platform, this.#ledger, dealt);
    if (shares.length === 0) return;
    // The lease, and what may be waited for of it, begin now: on a cluster the look for all tenants came first.
    const [now, claimedAt] = [this.#platform.clock(), performance.now()];
    const claims = await claimDue<Row>(db, this.#ledger, shares, now, this.#leaseFrom(now));
    const begun = claims.filter((claim) => !this.#held.renews(claim)).map((claim) => this.#held.add(claim));
    if (begun.length > 0) await this.#begin(begun, claimedAt);
  }

  readonly #report = (error: unknown): void => {
    this.#platform.observe({ event: 'ledger.failed', ledger: this.#ledger.name, error });
  };

  #leaseFrom(now: Date): Date {
    return new Date(now.getTime() + this.#ledger.leaseSeconds(this.#platform) * 1000);
  }

  /** @throws when it cannot be read what they need: their leases bring them back. */
  async #begin(begun: readonly Held<Row>[], claimedAt: number): Promise<void> {
    const claims = begun.map(({ claim }) => claim);
    const onBreak = (error: unknown) => this.#settler.reportAndPause(error);
    const work = await loadWork(this.#platform, this.#ledger, claims, onBreak).catch((error: unknown) => {
      for (const claim of claims) this.#held.drop(claim);
      throw error;
    });
    this.#platform.observe({ event: 'ledger.claimed', ledger: this.#ledger.name, count: claims.length });
    for (const held of begun) this.#work(held, work.get(held.claim.id), claimedAt);
  }

  /** Never rejects: nobody waits for it. */
  async #work(held: Held, loaded: Loaded<Work> | undefined, claimedAt: number): Promise<void> {
    const { claim } = held;
    let outcome: Outcome<Note>;
    try {
      outcome = await this.#attempt(held, loaded, claimedAt);
    } catch (error) {
      outcome = this.#outcomeOfBreak(claim, error);
    }
    if (loaded !== undefined && 'work' in loaded) this.#ledger.release?.(loaded.work);
    if (this.#ledger.gate === undefined) this.#held.giveBack(claim);
    this.#settler.add({ claim, outcome, at: this.#platform.clock() });
  }

  #outcomeOfBreak(claim: Claim, error: unknown): Outcome<Note> {
    // No fault of the row. The settler will not reach its node either, and reports it.
    if (isNodeAway(error)) return { kind: 'returned' };
    this.#report(error);
    return brokenOutcome(this.#platform, claim, error);
  }

  async #attempt(held: Held, loaded: Loaded<Work> | undefined, claimedAt: number): Promise<Outcome<Note>> {
    if (loaded === undefined) return { kind: 'drop' };
    if ('error' in loaded) throw loaded.error;
    const { claim } = held;
    if (this.#settler.mustWait(claim.tenantId)) return { kind: 'returned' };
    const { prepare, attempt, gate } = this.#ledger;
    const ended = await prepare?.(this.#platform, claim, loaded.work);
    if (ended) return ended;
    const target = targetKey(claim.tenantId, claim.targetId);
    const leave = await this.#queue.enter({
      lane: gate?.lane ?? 0,
      tenantId: claim.tenantId,
      targetId: gate === undefined ? target : claim.targetId,
      maxWaitMs: (gate?.maxWaitMs ?? LONGEST_WAIT_MS) - (performance.now() - claimedAt),
    });
    if (leave === null) return { kind: gate === undefined ? 'returned' : 'abandoned' };
    held.leave = leave;
    // The clock was set forward: another process may have the row by now.
    if (this.#platform.clock() >= new Date(claim.leasedUntil)) return { kind: 'abandoned' };
    if (this.#settler.mustWait(claim.tenantId)) return { kind: 'returned' };
    const startedAt = performance.now();
    const outcome = await attempt(this.#platform, claim, loaded.work);
    this.#pace.note(target, performance.now() - startedAt);
    return outcome;
  }

  #release(batch: readonly Finished<Note>[]): void {
    const nextPoll = this.#platform.clock().getTime() + this.#pollEveryMs;
    for (const { claim, outcome } of batch) {
      this.#held.drop(claim);
      if (outcome.kind !== 'retry') continue;
      this.#nextRetryAt = Math.min(this.#nextRetryAt, outcome.dueAt.getTime());
      if (this.#nextRetryAt <= nextPoll) this.wake();
    }
    if (this.#stopping) this.wake();
    // What they have kept waiting is their targets' own.
    else if (this.#ledger.isOrdered) for (const { claim } of batch) this.wake(claim);
  }

  /** Until woken, until the next retry that this process knows of is due, or until it is time to look again. */
  #sleep(): Promise<void> {
    const untilRetry = Math.max(0, this.#nextRetryAt - this.#platform.clock().getTime());
    if (untilRetry <= this.#pollEveryMs) this.#nextRetryAt = Number.POSITIVE_INFINITY;
    const isResting = this.#isAwake && this.#mayClaim();
    const wait = isResting ? Math.max(0, this.#restMs()) : Math.min(this.#pollEveryMs, untilRetry);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        if (untilRetry <= wait) this.#isAwake = true;
        resolve();
      }, wait);
      const interrupt = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#interrupt = isResting ? null : interrupt;
    });
  }
}
