/**
 * One try of a run: goes on behind the actions that are noted. What an action writes commits with its note, so that it happens
 * once, however often the run is tried; what reached others is noted before the next action does anything.
 */
import { v5 as uuidv5 } from 'uuid';
import { isSqlState } from '../../db/sqlstate.ts';
import { type Cause, runCausedBy } from '../../db/work-kind.ts';
import type { ActionContext } from '../../flows/action-type.ts';
import { linkedCause } from '../../flows/chain.ts';
import { type Condition, ConditionEvaluator, ConditionsBusy } from '../../flows/condition-thread.ts';
import { FlowError, type Json, type Values } from '../../flows/expressions.ts';
import { retryStep } from '../../flows/retries.ts';
import { type StepOutcome, walk } from '../../flows/walk.ts';
import { FairQueue } from '../../ledger/fair-queue.ts';
import type { Claim, Outcome } from '../../ledger/ledger.ts';
import { oncePerPlatform, type Platform } from '../../platform.ts';
import type { FollowUp } from '../../resources/follow-up.ts';
import { wholeTenant } from '../../tenancy/scope.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { actedBy, Deadline, type Kept, keep, MAX_RESULTS_CHARS, RunTimeout } from './acted.ts';
import type { Plan, PlannedAction } from './compile.ts';
import {
  LEASE_LOST,
  NOT_NOTED_YET,
  noteActions,
  notingResult,
  type RunNote,
  renewLease,
  type Trigger,
} from './run-queries.ts';
import { type Acted, type Entry, planVisitor } from './visitor.ts';

/** The waits before the further tries of an action that has failed, seconds. */
export const RETRY_WAITS_SECONDS: readonly number[] = [2, 10, 30];
/** What a lease must have beyond a run's time: for the wait for a place, and for what is written at the end. */
export const LEASE_MARGIN_SECONDS = 15;
/** Transactions of runs at once in one process: requests need connections, too. */
const TRANSACTIONS = 6;
const LANE = 0;
const BUSY_AGAIN_MS = 1000;

const connections = oncePerPlatform(({ database }) => {
  const places = database.kind === 'embedded' ? 1 : TRANSACTIONS;
  return new FairQueue({ inAll: places, perTarget: places });
});

/** A run with everything that a try needs. */
export interface RunToTry {
  readonly plan: Plan;
  readonly trigger: Trigger;
  /** Those that were done, and perhaps the one that failed. */
  readonly actions: readonly Entry[];
  readonly chain: readonly string[];
  /** What the chain began with; null: this run, or unknown. */
  readonly rootId: string | null;
  /** Whether an earlier try has noted that it has begun. */
  readonly hasBegun: boolean;
}

/** Does an action's writing, and what its statement is to do beside. */
type Write = (db: ScopedDb, followUps: readonly FollowUp[]) => Promise<Json>;

/** Whoever does the run now is somebody else. */
class LeaseLost extends Error {}
/** All connections were in use all the time. */
class TooBusy extends Error {}

/** Tries a run. @throws what is a fault of ours. */
export async function tryRun(platform: Platform, claim: Claim, run: RunToTry): Promise<Outcome<RunNote>> {
  const attempt = new RunAttempt(platform, claim, run);
  try {
    return await runCausedBy(causeOf(claim, run), () => attempt.run());
  } catch (error) {
    if (error instanceof LeaseLost || isSqlState(error, LEASE_LOST)) return { kind: 'abandoned' };
    if (error instanceof TooBusy || error instanceof ConditionsBusy) return attempt.later();
    await attempt.rescue();
    throw error;
  }
}

/** What leads to all that the run does. */
function causeOf({ tenantId, id }: Claim, { plan, chain, rootId }: RunToTry): Cause {
  const before = chain.length === 0 ? null : { root: rootId, chain };
  return linkedCause(tenantId, before, { id, link: plan.key });
}

class RunAttempt {
  readonly #platform: Platform;
  readonly #claim: Claim;
  readonly #run: RunToTry;
  readonly #db: ScopedDb;
  readonly #startedAt: Date;
  readonly #deadline: Deadline;
  readonly #conditions: ConditionEvaluator;
  readonly #entries: Entry[];
  /** How many of them the row has. */
  #noted: number;
  #hasBegun: boolean;
  /** Whether one of the others is to be noted before the next action does anything. */
  #isOwed = false;
  #chars = 0;

  constructor(platform: Platform, claim: Claim, run: RunToTry) {
    this.#platform = platform;
    this.#claim = claim;
    this.#run = run;
    this.#db = platform.scoped(wholeTenant(claim.tenantId));
    this.#startedAt = platform.clock();
    this.#deadline = new Deadline(run.plan.timeoutMs);
    this.#conditions = new ConditionEvaluator(platform, claim.tenantId);
    this.#entries = run.actions.filter(({ status }) => status !== 'failed');
    this.#noted = this.#entries.length;
    this.#hasBegun = run.hasBegun;
    for (const { result } of this.#entries) this.#chars += JSON.stringify(result)?.length ?? 0;
  }

  async run(): Promise<Outcome<RunNote>> {
    const { plan, trigger } = this.#run;
    await this.#lengthenLease();
    const visit = planVisitor({
      plan,
      trigger,
      done: new Map(this.#entries.map((entry) => [entry.key, entry])),
      holds: (condition, values) => this.#holds(condition, values),
      act: (action, params) => this.#act(action, params),
    });
    const walked = await walk({
      from: plan.steps.length > 0 ? 0 : null,
      visit: async (place) => this.#remember(await visit(place)),
      mostSteps: plan.steps.length,
    });
    if (walked.kind !== 'failed') return { kind: 'success', note: this.#note() };
    const { error, isFinal, entry } = walked;
    const note = { actions: [...this.#entries, entry], startedAt: this.#startedAt };
    const now = this.#platform.clock();
    return retryStep(this.#claim, { error, isFinal, note, now, waitsSeconds: RETRY_WAITS_SECONDS });
  }

  /** Another try within moments, which is none of those that a run has. */
  later(): Outcome<RunNote> {
    const dueAt = new Date(this.#platform.clock().getTime() + BUSY_AGAIN_MS);
    const error = 'There was no connection to the database, or no thread for its conditions, in time.';
    return { kind: 'retry', error, isFault: true, dueAt, note: this.#note() };
  }

  /** Notes what was done before something broke, if that can be. */
  async rescue(): Promise<void> {
    await this.#noteNow().catch(() => {});
  }

  /** Usual runs have ended before their lease has. */
  async #lengthenLease(): Promise<void> {
    const until = this.#startedAt.getTime() + this.#run.plan.timeoutMs + (LEASE_MARGIN_SECONDS * 1000) / 2;
    if (new Date(this.#claim.leasedUntil).getTime() >= until) return;
    const lease = new Date(until + (LEASE_MARGIN_SECONDS * 1000) / 2);
    const leasedUntil = await renewLease(this.#db, this.#claim, lease);
    if (leasedUntil === null) throw new LeaseLost();
    this.#claim.leasedUntil = leasedUntil;
  }

  #remember(outcome: StepOutcome<number, Entry>): StepOutcome<number, Entry> {
    if (outcome.kind === 'done') this.#entries.push(outcome.entry);
    return outcome;
  }

  /** @throws FlowError also when the run's time is over; ConditionsBusy. */
  async #holds(condition: Condition, values: Values): Promise<boolean> {
    try {
      return await this.#deadline.within(this.#conditions.holds(condition, values));
    } catch (error) {
      throw error instanceof RunTimeout ? new FlowError(error.message) : error;
    }
  }

  #note(): RunNote {
    const isNoted = this.#noted === this.#entries.length;
    return { actions: isNoted ? null : this.#entries, startedAt: this.#startedAt };
  }

  async #act(action: PlannedAction, params: Json): Promise<Acted> {
    const work = () => (action.type.isCall ? this.#call(action, params) : this.#write(action, params));
    return this.#deadline.toldOf(await actedBy(work));
  }

  async #call({ type, ...action }: PlannedAction, params: Json): Promise<Json> {
    // What others were told must not be told again because this one breaks; and a run that has told anybody has begun.
    if (!type.isHarmless && (this.#isOwed || !this.#hasBegun)) await this.#noteEntries();
    const made = await this.#deadline.within(type.call(this.#contextOf(action), params));
    if (!type.isHarmless) this.#isOwed = true;
    return this.#keep(made);
  }

  async #write({ type, ...action }: PlannedAction, params: Json): Promise<Json> {
    const ctx = this.#contextOf(action);
    const prepared = await this.#deadline.within(type.prepare(ctx, params));
    const leave = await connections(this.#platform).enter({
      ...{ tenantId: this.#claim.tenantId, targetId: this.#claim.tenantId, lane: LANE },
      maxWaitMs: this.#deadline.leftMs(),
    });
    if (leave === null) throw new TooBusy();
    try {
      const write = (db: ScopedDb, followUps: readonly FollowUp[]) =>
        type.write({ ...ctx, db, followUps }, params, prepared);
      const mayNote = this.#mayNoteByStatement && type.notesByStatement(params, prepared);
      const kept =
        (mayNote ? await this.#writeNoting(action, write) : null) ??
        (await this.#writeAndNote(action, write));
      this.#markNoted(this.#entries.length + 1);
      this.#chars += kept.chars;
      return kept.result;
    } finally {
      leave();
    }
  }

  /** What the function of the database does is of its own node, and what it notes is as short as all results of a run may be. */
  get #mayNoteByStatement(): boolean {
    return !this.#platform.database.isSharded && this.#chars <= MAX_RESULTS_CHARS / 2;
  }

  /** By one statement; null: nothing was done, as the result may be too long. */
  async #writeNoting({ key }: Pick<PlannedAction, 'key'>, write: Write): Promise<Kept | null> {
    try {
      const note = notingResult(this.#claim, this.#entries, key, this.#startedAt);
      return keep(await write(this.#db, [note]), this.#chars);
    } catch (error) {
      if (isSqlState(error, NOT_NOTED_YET)) return null;
      throw error;
    }
  }

  #writeAndNote({ key }: Pick<PlannedAction, 'key'>, write: Write): Promise<Kept> {
    return this.#db.transaction(async (tx) => {
      const made = keep(await write(tx, []), this.#chars);
      const entry = { key, status: 'succeeded', error: null, result: made.result } as const;
      await this.#noteIn(tx, [...this.#entries, entry]);
      return made;
    });
  }

  #keep(made: Json): Json {
    const { result, chars } = keep(made, this.#chars);
    this.#chars += chars;
    return result;
  }

  async #noteNow(): Promise<void> {
    if (this.#noted < this.#entries.length) await this.#noteEntries();
  }

  /** Also that it has begun, where there are none. */
  async #noteEntries(): Promise<void> {
    await this.#noteIn(this.#db, this.#entries);
    this.#markNoted(this.#entries.length);
  }

  #markNoted(count: number): void {
    this.#noted = count;
    this.#hasBegun = true;
    this.#isOwed = false;
  }

  async #noteIn(db: ScopedDb, entries: readonly Entry[]): Promise<void> {
    await noteActions(db, this.#claim, entries, this.#startedAt);
  }

  #contextOf({ place }: Pick<PlannedAction, 'place'>): ActionContext {
    const { chain, plan } = this.#run;
    const { id, targetId } = this.#claim;
    return {
      openSecret: (sealed) => this.#platform.secrets.open(sealed, targetId),
      platform: this.#platform,
      db: this.#db,
      actor: { kind: 'automation', key: plan.key, runId: id, chain, depth: chain.length + 1 },
      now: this.#platform.clock(),
      idempotencyKey: uuidv5(String(place), id),
      timeoutMs: this.#deadline.leftMs(),
    };
  }
}
