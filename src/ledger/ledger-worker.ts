/**
 * Works one ledger in one process: claims due rows in turn over their targets, keeps a bounded number of attempts
 * under way, and has what came of them settled.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Platform } from '../platform.ts';
import { brokenOutcome } from './broken-attempts.ts';
import { ClockWatch } from './clock-watch.ts';
import { FairQueue, type Leave } from './fair-queue.ts';
import type { Claim, LedgerDefinition, Outcome } from './ledger.ts';
import { claimDue, listDueTenants, recallRows, type Share } from './ledger-queries.ts';
import { MOST_AHEAD, Pace } from './pace.ts';
import { type Finished, Settler } from './settler.ts';
import { Turns, targetKey } from './turns.ts';

/** How often a quiet ledger looks for rows that other processes wrote or that became due, milliseconds. */
const POLL_MS = 300;
/** Tenants with waiting rows that one look visits. */
const TENANTS_PER_LOOK = 100;
/** A look that claims fewer rows than this, or none, was hardly worth its statements. */
const FEW_CLAIMS = 16;
/** How long after such a look the next round begins at the earliest, milliseconds. */
const QUIET_GAP_MS = 50;
/** An attempt that waited longer for its target might outlive its lease, milliseconds. */
const LONGEST_WAIT_MS = 5_000;
/** How far apart the clocks of several processes may be for a recall to tell a live lease, milliseconds. */
const CLOCKS_APART_MS = 60_000;

/** A claim that is not yet settled, and its place. */
interface Held {
  readonly claim: Claim;
  leave?: Leave;
}

/** The worker of one ledger. */
export class LedgerWorker<Work, Note = undefined> {
  readonly #platform: Platform;
  readonly #ledger: LedgerDefinition<Work, Note>;
  /** Attempts claimed and not yet settled. */
  readonly #turns: Turns;
  readonly #queue: FairQueue;
  readonly #pace = new Pace();
  readonly #settler: Settler<Work, Note>;
  /** When the last look began that found little to do; the next one waits for more to come together. */
  #quietSince = Number.NEGATIVE_INFINITY;
  /** By row id. */
  readonly #held = new Map<string, Held>();
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

  constructor(platform: Platform, ledger: LedgerDefinition<Work, Note>) {
    this.#platform = platform;
    this.#ledger = ledger;
    const { concurrency, concurrencyPerTarget, gate } = ledger;
    const inAll = typeof concurrency === 'number' ? concurrency : concurrency(platform);
    this.#queue = gate?.queue(platform) ?? new FairQueue({ inAll, perTarget: concurrencyPerTarget });
    this.#settler = new Settler(platform, ledger, (batch) => this.#release(batch));
    this.#turns = new Turns({ ...ledger, concurrency: inAll }, (tenantId, targetId) =>
      gate === undefined
        ? concurrencyPerTarget * this.#pace.aheadOf(targetKey(tenantId, targetId))
        : concurrencyPerTarget,
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
    this.#settler.stopWaiting();
    this.wake();
    await this.#loop;
  }

  async #run(): Promise<void> {
    while (this.#goesOn) {
      try {
        await this.#mindClock();
        if (this.#mayClaim() && (await this.#claim())) continue;
      } catch (error) {
        await this.#settler.reportAndPause(error);
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
    const all = this.#platform.database.everyTenant('ledgers');
    const { table, concurrencyPerTarget, concurrencyPerTenant, gate } = this.#ledger;
    const startedAt = performance.now();
    const now = this.#platform.clock();
    const known = this.#turns.knownTenants();
    const page = await listDueTenants(all, table, now, {
      after: this.#turns.lastTenant,
      tenants: TENANTS_PER_LOOK,
      perTarget: concurrencyPerTarget * (gate === undefined ? MOST_AHEAD : 1),
      perTenant: concurrencyPerTenant,
      known,
    });
    const shares = this.#turns.deal(page, known);
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
    const all = this.#platform.database.everyTenant('ledgers');
    const claims = await claimDue(all, this.#ledger.table, shares, now, leasedUntil);
    const begun = claims.filter((claim) => !this.#renews(claim));
    if (begun.length > 0) await this.#begin(begun, performance.now());
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
  #renews({ id, leasedUntil }: Claim): boolean {
    const held = this.#held.get(id);
    if (held === undefined) return false;
    held.claim.leasedUntil = leasedUntil;
    return true;
  }

  async #begin(claims: readonly Claim[], claimedAt: number): Promise<void> {
    const work = await this.#load(claims);
    this.#platform.observe({ event: 'ledger.claimed', ledger: this.#ledger.name, count: claims.length });
    for (const claim of claims) {
      const held = { claim };
      this.#held.set(claim.id, held);
      this.#turns.count(claim.tenantId, claim.targetId, 1);
      this.#work(held, work.get(claim.id), claimedAt);
    }
  }

  /** What the attempts need. One row for which it cannot be read must not hold the others: it has broken. */
  async #load(claims: readonly Claim[]): Promise<ReadonlyMap<string, Loaded<Work>>> {
    const loadSome = async (some: readonly Claim[]) => {
      const work = await this.#ledger.load(this.#platform, some);
      return new Map([...work].map(([id, each]) => [id, { work: each }] as const));
    };
    try {
      return await loadSome(claims);
    } catch (error) {
      await this.#settler.reportAndPause(error);
    }
    const loaded = new Map<string, Loaded<Work>>();
    let faults = 0;
    for (const claim of claims) {
      try {
        for (const [id, each] of await loadSome([claim])) loaded.set(id, each);
      } catch (error) {
        faults += 1;
        loaded.set(claim.id, { error });
      }
    }
    // The database may be away: nothing is known of any row, and their leases bring them back.
    if (faults === claims.length) throw new Error('Nothing could be loaded.');
    return loaded;
  }

  /** Never rejects: nobody waits for it. */
  async #work(held: Held, loaded: Loaded<Work> | undefined, claimedAt: number): Promise<void> {
    const { claim } = held;
    let outcome: Outcome<Note>;
    try {
      outcome = await this.#attempt(held, loaded, claimedAt);
    } catch (error) {
      this.#platform.observe({ event: 'ledger.failed', ledger: this.#ledger.name, error });
      outcome = brokenOutcome(this.#platform, claim, error);
    }
    if (this.#ledger.gate === undefined) held.leave?.();
    this.#settler.add({ claim, outcome, at: this.#platform.clock() });
  }

  async #attempt(held: Held, loaded: Loaded<Work> | undefined, claimedAt: number): Promise<Outcome<Note>> {
    if (loaded === undefined) return { kind: 'drop' };
    if ('error' in loaded) throw loaded.error;
    const { claim } = held;
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
    if (leave === null) return { kind: 'abandoned' };
    held.leave = leave;
    // The clock was set forward: another process may have the row by now.
    if (this.#platform.clock() >= new Date(claim.leasedUntil)) return { kind: 'abandoned' };
    const startedAt = performance.now();
    const outcome = await attempt(this.#platform, claim, loaded.work);
    this.#pace.note(target, performance.now() - startedAt);
    return outcome;
  }

  #release(batch: readonly Finished<Note>[]): void {
    for (const { claim, outcome } of batch) {
      this.#held.get(claim.id)?.leave?.();
      this.#held.delete(claim.id);
      this.#turns.count(claim.tenantId, claim.targetId, -1);
      if (outcome.kind === 'retry') this.#nextRetryAt = Math.min(this.#nextRetryAt, outcome.dueAt.getTime());
    }
    this.wake();
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

/** What an attempt works with, or why it cannot be had. */
type Loaded<Work> = { readonly work: Work } | { readonly error: unknown };
