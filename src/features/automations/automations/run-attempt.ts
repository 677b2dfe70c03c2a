/**
 * One attempt of a run. It continues after the stored actions. An action's database writes commit together with its
 * result, so they happen once even if the run is retried. The result of an external call is stored before the next
 * action runs.
 */

import { v5 as uuidv5 } from 'uuid';
import { isSqlState } from '../../../db/sqlstate.ts';
import type { ActionContext } from '../../../flows/action-type.ts';
import { ConditionEvaluator } from '../../../flows/condition-thread.ts';
import { FlowError, type Json } from '../../../flows/expressions.ts';
import { retryStep } from '../../../flows/retries.ts';
import { type StepOutcome, walk } from '../../../flows/walk.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import type { FollowUp } from '../../../resources/follow-up.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { brokenOutcome } from '../../../work-queue/broken-attempts.ts';
import type { Claim } from '../../../work-queue/claim.ts';
import { FairQueue } from '../../../work-queue/fair-queue.ts';
import type { Outcome } from '../../../work-queue/work-queue.ts';
import {
  captureOutcome,
  Deadline,
  type LimitedResult,
  limitResult,
  MAX_RESULTS_CHARS,
  RunTimeout,
} from './action-outcome.ts';
import { type AttemptInput, RETRY_WAITS_SECONDS, TooBusy } from './attempt-input.ts';
import type { PlannedAction, Step } from './plan.ts';
import {
  RESULT_TOO_LONG,
  type RunFailure,
  type RunProgress,
  saveActions,
  saveActionsFollowUp,
} from './run-queries.ts';
import { TriggerRelations } from './trigger-relations.ts';
import { type ActionOutcome, type Entry, planVisitor, type Visit } from './visitor.ts';

/** Concurrent transactions of runs in one process. Requests need connections too. */
const TRANSACTIONS = 6;
const LANE = 0;

const connections = oncePerPlatform(({ database }) => {
  const limit = database.kind === 'embedded' ? 1 : TRANSACTIONS;
  return new FairQueue({ total: limit, perTarget: limit });
});

/** Performs an action's writes; its statement also executes the follow-ups. */
type Write = (db: ScopedDb, followUps: readonly FollowUp[]) => Promise<Json>;

/** One attempt of a run. Call `run` once. */
export class RunAttempt {
  readonly #platform: Platform;
  readonly #claim: Claim;
  readonly #run: AttemptInput;
  readonly #db: ScopedDb;
  readonly #startedAt: Date;
  readonly #deadline: Deadline;
  readonly #conditions: ConditionEvaluator;
  readonly #entries: Entry[];
  /** Number of entries from before the run failed. Entries of the failure steps follow. */
  readonly #priorCount: number;
  /** Number of entries that are stored in the row. */
  #savedCount: number;
  #hasBegun: boolean;
  /** True if the entries must be stored before the next external call. */
  #hasUnsavedEffect = false;
  #chars = 0;

  constructor(platform: Platform, claim: Claim, run: AttemptInput) {
    this.#platform = platform;
    this.#claim = claim;
    this.#run = run;
    this.#db = platform.scoped(wholeTenant(claim.tenantId));
    this.#startedAt = platform.clock();
    this.#deadline = new Deadline(run.plan.timeoutMs);
    this.#conditions = new ConditionEvaluator(platform, claim.tenantId);
    this.#entries =
      run.failure === null ? run.actions.filter(({ status }) => status !== 'failed') : [...run.actions];
    this.#priorCount =
      run.failure === null ? 0 : run.actions.filter((entry) => entry.on_failure !== true).length;
    this.#savedCount = this.#entries.length;
    this.#hasBegun = run.hasBegun;
    for (const { result } of this.#entries) this.#chars += JSON.stringify(result)?.length ?? 0;
  }

  async run(): Promise<Outcome<RunProgress>> {
    const { plan, failure } = this.#run;
    const steps = failure === null ? plan.steps : plan.onFailure;
    const visit = this.#visitorOf(steps);
    const walkResult = await walk({
      from: steps.length > 0 ? 0 : null,
      visit: async (position) => this.#remember(await visit(position)),
      maxSteps: steps.length,
    });
    if (walkResult.kind !== 'failed')
      return failure === null
        ? { kind: 'success', result: this.progress() }
        : { kind: 'failed', error: failure.error, result: this.progress() };
    const { error, isFinal, entry } = walkResult;
    const result = { actions: [...this.#entries, this.#toStoredEntry(entry)], startedAt: this.#startedAt };
    // Failure actions run only once.
    if (failure !== null) return { kind: 'failed', error: failure.error, result };
    const now = this.#platform.clock();
    const step = { error, isFinal, result, now, waitsSeconds: RETRY_WAITS_SECONDS };
    const outcome = retryStep(this.#claim, step);
    if (outcome.kind !== 'failed' || plan.onFailure.length === 0) return outcome;
    return { ...outcome, result: { ...result, failure: this.#failureOf(error, entry.key) } };
  }

  #visitorOf(steps: readonly Step[]): Visit {
    const { plan, trigger, failure, readRelated } = this.#run;
    const relations = new TriggerRelations({
      ...{ plan, trigger },
      read: readRelated,
      ctx: () => this.#contextOf({ position: 0 }),
    });
    return planVisitor({
      ...{ steps, trigger },
      roots:
        failure === null
          ? {}
          : {
              run: { id: this.#claim.id, error: failure.error },
              failed: { action: failure.action },
            },
      earlier: this.#entries.slice(0, this.#priorCount),
      done: this.#entries.slice(this.#priorCount),
      related: (paths) => this.#withinDeadline(() => relations.load(paths)),
      isMet: (condition, values) => this.#withinDeadline(() => this.#conditions.isMet(condition, values)),
      act: (action, params) => this.#act(action, params),
    });
  }

  /** Tries to store completed actions after an unexpected error. */
  async rescue(): Promise<void> {
    if (this.#savedCount < this.#entries.length) await this.#storeEntries().catch(() => {});
  }

  /**
   * Returns the outcome of a run with failure actions if this unexpected error ends its last attempt. Otherwise returns
   * null, and the work queue counts the fault.
   */
  failureOutcome(error: unknown): Outcome<RunProgress> | null {
    const { plan, failure } = this.#run;
    const outcome = brokenOutcome(this.#platform, this.#claim, error);
    if (outcome.kind !== 'failed' || failure !== null || plan.onFailure.length === 0) return null;
    return {
      ...outcome,
      result: { ...this.progress(), failure: this.#failureOf(outcome.error, this.#nextKey) },
    };
  }

  /** Key of the next action, or null. */
  get #nextKey(): string | null {
    const position = this.#entries.length;
    const step = this.#run.plan.steps.find(
      (each) => each.kind === 'action' && each.action.position === position,
    );
    return step?.kind === 'action' ? step.action.key : null;
  }

  #failureOf(error: string, action: string | null): RunFailure {
    return { error, action, at: this.#platform.clock().toISOString() };
  }

  #remember(outcome: StepOutcome<number, Entry>): StepOutcome<number, Entry> {
    if (outcome.kind === 'done') this.#entries.push(this.#toStoredEntry(outcome.entry));
    return outcome;
  }

  /** Marks an entry of the failure steps. */
  #toStoredEntry<E extends Omit<Entry, 'result'>>(entry: E): E {
    return this.#run.failure === null ? entry : { ...entry, on_failure: true };
  }

  /** @throws FlowError, also at the run's time limit; ConditionsBusy. */
  async #withinDeadline<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#deadline.within(work());
    } catch (error) {
      throw error instanceof RunTimeout ? new FlowError(error.message) : error;
    }
  }

  /** The progress of the run so far. */
  progress(): RunProgress {
    const isSaved = this.#savedCount === this.#entries.length;
    return { actions: isSaved ? null : this.#entries, startedAt: this.#startedAt };
  }

  async #act(action: PlannedAction, params: Json): Promise<ActionOutcome> {
    const work = () => (action.type.isCall ? this.#call(action, params) : this.#write(action, params));
    return this.#deadline.orTimeout(await captureOutcome(work));
  }

  async #call({ type, ...action }: PlannedAction, params: Json): Promise<Json> {
    // Store earlier external calls, so that an error in this one does not repeat them. Also store that the run has
    // begun.
    const hasExternalEffect = !type.isRepeatable && !type.isReadOnly;
    if (hasExternalEffect && (this.#hasUnsavedEffect || !this.#hasBegun)) await this.#storeEntries();
    const ctx = this.#contextOf(action);
    const call = () => this.#deadline.within(type.call(ctx, params));
    const result = type.isReadOnly ? await this.#withConnection(call) : await call();
    if (!type.isRepeatable) this.#hasUnsavedEffect = true;
    return this.#limit(result);
  }

  async #write({ type, ...action }: PlannedAction, params: Json): Promise<Json> {
    const ctx = this.#contextOf(action);
    const prepared = await this.#deadline.within(type.prepare(ctx, params));
    const write = (db: ScopedDb, followUps: readonly FollowUp[]) =>
      type.write({ ...ctx, db, followUps }, params, prepared);
    const writesInOneStatement = this.#canUseOneStatement && type.writesInOneStatement(params, prepared);
    return this.#withConnection(async () => {
      const limited =
        (writesInOneStatement ? await this.#writeInOneStatement(action, write) : null) ??
        (await this.#writeInTransaction(action, write));
      this.#markSaved(this.#entries.length + 1);
      this.#chars += limited.chars;
      return limited.result;
    });
  }

  /** Does work that needs a database connection when one is available. @throws TooBusy. */
  async #withConnection<T>(work: () => Promise<T>): Promise<T> {
    const release = await connections(this.#platform).enter({
      ...{ tenantId: this.#claim.tenantId, targetId: this.#claim.tenantId, lane: LANE },
      maxWaitMs: this.#deadline.leftMs(),
    });
    if (release === null) throw new TooBusy();
    return work().finally(release);
  }

  /** One statement writes the record and its result. The total length of a run's results is limited. */
  get #canUseOneStatement(): boolean {
    return !this.#platform.database.keepsEntitiesApart && this.#chars <= MAX_RESULTS_CHARS / 2;
  }

  /**
   * Writes and stores the result in one statement. Returns null if nothing was written because the result may be too
   * long.
   */
  async #writeInOneStatement(
    { key }: Pick<PlannedAction, 'key'>,
    write: Write,
  ): Promise<LimitedResult | null> {
    try {
      const entry = this.#toStoredEntry({ key, status: 'succeeded', error: null } as const);
      const followUp = saveActionsFollowUp(this.#claim, this.#entries, entry, this.#startedAt);
      return limitResult(await write(this.#db, [followUp]), this.#chars);
    } catch (error) {
      if (isSqlState(error, RESULT_TOO_LONG)) return null;
      throw error;
    }
  }

  #writeInTransaction({ key }: Pick<PlannedAction, 'key'>, write: Write): Promise<LimitedResult> {
    return this.#db.transaction(async (tx) => {
      const limited = limitResult(await write(tx, []), this.#chars);
      const entry = { key, status: 'succeeded', error: null, result: limited.result } as const;
      await this.#storeEntriesIn(tx, [...this.#entries, this.#toStoredEntry(entry)]);
      return limited;
    });
  }

  #limit(value: Json): Json {
    const { result, chars } = limitResult(value, this.#chars);
    this.#chars += chars;
    return result;
  }

  /** Stores the entries, and that the run has begun. */
  async #storeEntries(): Promise<void> {
    await this.#storeEntriesIn(this.#db, this.#entries);
    this.#markSaved(this.#entries.length);
  }

  #markSaved(count: number): void {
    this.#savedCount = count;
    this.#hasBegun = true;
    this.#hasUnsavedEffect = false;
  }

  async #storeEntriesIn(db: ScopedDb, entries: readonly Entry[]): Promise<void> {
    await saveActions(db, this.#claim, entries, this.#startedAt);
  }

  #contextOf({ position }: Pick<PlannedAction, 'position'>): ActionContext {
    const { chain, plan, failure } = this.#run;
    const { id, targetId } = this.#claim;
    const name = failure === null ? String(position) : `after ${failure.at} ${position}`;
    return {
      openSecret: (sealed) => this.#platform.secrets.open(sealed, targetId),
      platform: this.#platform,
      db: this.#db,
      actor: { kind: 'automation', key: plan.key, runId: id, chain, depth: chain.length + 1 },
      now: this.#platform.clock(),
      idempotencyKey: uuidv5(name, id),
      timeoutMs: this.#deadline.leftMs(),
    };
  }
}
