/** Writes outcomes of attempts in batches: those that finished while the previous batch was being written. */

import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { EveryTenantDb } from '../db/every-tenant.ts';
import { isInvalidData } from '../db/sqlstate.ts';
import { isTenantUnavailable } from '../db/tenant-unavailable.ts';
import { codeOf } from '../errors/error-code.ts';
import { isProgramFault } from '../errors/program-fault.ts';
import type { Platform } from '../platform.ts';
import { closedTenants } from '../tenancy/closed-tenants.ts';
import { brokenOutcome } from './broken-attempts.ts';
import type { Claim } from './claim.ts';
import type { Ack, Outcome, WorkQueueDefinition } from './work-queue.ts';
import { acknowledgeRows, returnRows } from './work-queue-queries.ts';

/** Wait of finished attempts for others of their batch, in ms. Attempts behind a gate do not wait. */
const GATHER_MS = 40;
/** Pause after a database error, in ms. */
const PAUSE_AFTER_ERROR_MS = 1000;
/** Most outcomes in one batch; the rest join the next one. */
const MAX_BATCH = 1000;
/** Batches written at the same time, each on its own connection. */
const BATCHES_AT_ONCE = 2;
/** If a row is refused more often than this, only the work queue's own columns are written. */
const MAX_REFUSALS = 1;

/** A claim with the outcome of its attempt, also if the outcome is not written. */
export interface FinishedAttempt<Result> {
  readonly claim: Claim;
  readonly outcome: Outcome<Result>;
  readonly at: Date;
}

/** The parts of a work queue definition that the ack writer uses. */
type AcknowledgedWorkQueue<Result> = Pick<
  WorkQueueDefinition<never, Result>,
  'name' | 'table' | 'gate' | 'acknowledge'
>;

/** Callbacks of the worker that owns the writer. */
export interface AckWriterEvents<Result> {
  /** Returns true if more attempts are claimed than have finished: they may join the batch. */
  readonly hasOthers: (finished: number) => boolean;
  /** Called when these attempts are acknowledged or abandoned. */
  readonly release: (batch: readonly FinishedAttempt<Result>[]) => void;
  /** Called when the node with their rows is unavailable; they are acknowledged once it is back. */
  readonly onUnavailable: (batch: readonly FinishedAttempt<Result>[]) => void;
}

/** Writes the acknowledgements of one worker. */
export class AckWriter<Result> {
  readonly #platform: Platform;
  readonly #workQueue: AcknowledgedWorkQueue<Result>;
  readonly #hasOthers: (finished: number) => boolean;
  readonly #release: (batch: readonly FinishedAttempt<Result>[]) => void;
  readonly #onUnavailable: (batch: readonly FinishedAttempt<Result>[]) => void;
  /** Tenants whose node was unavailable at the last write; the next success removes them. */
  readonly #unavailable = new Set<string>();
  readonly #finished: FinishedAttempt<Result>[] = [];
  /** Outcomes to write again after an error. */
  readonly #later: FinishedAttempt<Result>[] = [];
  /** Outcomes to write again, of tenants whose node is unavailable. */
  #laterUnavailable: FinishedAttempt<Result>[] = [];
  /** Number of batches being written. */
  #batchesInProgress = 0;
  #isRetrying = false;
  #isRetryingUnavailable = false;
  #stopping = false;

  constructor(platform: Platform, workQueue: AcknowledgedWorkQueue<Result>, events: AckWriterEvents<Result>) {
    this.#platform = platform;
    this.#workQueue = workQueue;
    this.#hasOthers = events.hasOthers;
    this.#release = events.release;
    this.#onUnavailable = events.onUnavailable;
  }

  /** True while a tenant's rows must not be attempted: its node is unavailable, or the tenant is suspended. */
  mustWait(tenantId: string): boolean {
    return this.isUnavailable(tenantId) || closedTenants(this.#platform).has(tenantId);
  }

  /** True if this tenant's rows cannot be acknowledged for now because their node is unavailable. */
  isUnavailable(tenantId: string): boolean {
    return this.#unavailable.has(tenantId);
  }

  /** On a cluster one batch already runs one statement per tenant. */
  get #batchesAtOnce(): number {
    return this.#platform.database.isSharded ? 1 : BATCHES_AT_ONCE;
  }

  /** Stops retrying when the database is unavailable. */
  stopWaiting(): void {
    this.#stopping = true;
  }

  /** Adds an outcome to the next batch. */
  add(finished: FinishedAttempt<Result>): void {
    // Outcomes for an unavailable node wait together, so that each does not cost a failing statement.
    if (this.isUnavailable(finished.claim.tenantId)) this.#acknowledgeLater([finished]);
    else this.#acknowledgeSoon([finished]);
  }

  #acknowledgeSoon(batch: readonly FinishedAttempt<Result>[]): void {
    this.#finished.push(...batch);
    const isFull = this.#finished.length >= MAX_BATCH && this.#batchesInProgress < this.#batchesAtOnce;
    if (this.#batchesInProgress === 0 || isFull) this.#acknowledgeAll();
  }

  /** Reports an error of the work queue and pauses, unless only a node is unavailable. */
  async reportAndPause(error: unknown): Promise<void> {
    this.#platform.observe({ event: 'work_queue.failed', workQueue: this.#workQueue.name, error });
    if (!isTenantUnavailable(error)) await pause(PAUSE_AFTER_ERROR_MS);
  }

  /** Never rejects; no caller awaits it. */
  async #acknowledgeAll(): Promise<void> {
    this.#batchesInProgress += 1;
    do {
      // Attempts that finish at nearly the same time share a statement.
      const shouldWait = this.#workQueue.gate === undefined && this.#hasOthers(this.#finished.length);
      await (shouldWait && this.#finished.length < MAX_BATCH ? pause(GATHER_MS) : nextTurn());
      const [batch, blocked] = this.#splitByNode(this.#finished.splice(0, MAX_BATCH));
      if (blocked.length > 0) this.#acknowledgeLater(blocked);
      await this.#acknowledgeByTenant(batch);
    } while (this.#finished.length > 0);
    this.#batchesInProgress -= 1;
  }

  /** Splits a batch into outcomes that can be written and those whose node is unavailable. */
  #splitByNode(
    batch: readonly FinishedAttempt<Result>[],
  ): [writable: FinishedAttempt<Result>[], blocked: FinishedAttempt<Result>[]] {
    const isBlocked = ({ claim }: FinishedAttempt<Result>) => this.isUnavailable(claim.tenantId);
    return [batch.filter((finished) => !isBlocked(finished)), batch.filter(isBlocked)];
  }

  async #acknowledgeByTenant(batch: readonly FinishedAttempt<Result>[]): Promise<void> {
    const all = this.#platform.database.everyTenant('work-queues');
    await all.byTenant(
      batch,
      ({ claim }) => claim.tenantId,
      (db, own) => this.#acknowledge(db, own),
    );
  }

  /**
   * Acknowledges a batch. Outcomes that cannot be written now are retried later. A batch that the database rejects is
   * written row by row, and a rejected row without its result.
   * Never rejects.
   */
  async #acknowledge(
    db: EveryTenantDb,
    batch: readonly FinishedAttempt<Result>[],
    refusals = 0,
  ): Promise<void> {
    const acks = batch.flatMap(toAck);
    const returned = batch.filter(({ outcome }) => outcome.kind === 'returned');
    try {
      if (acks.length > 0) await this.#write(db, acks, refusals);
      if (returned.length > 0) await this.#return(db, returned);
    } catch (error) {
      const isRefused = isInvalidData(error) || isProgramFault(error);
      if (isRefused && refusals <= MAX_REFUSALS) return this.#acknowledgeRefused(db, batch, error, refusals);
      this.#platform.observe({ event: 'work_queue.failed', workQueue: this.#workQueue.name, error });
      // Rows are abandoned when the process stops, or when even the reduced row is refused; they return when the lease
      // ends.
      if (isRefused || this.#stopping) return this.#release(batch);
      if (db.tenantId !== null && isTenantUnavailable(error)) this.#unavailable.add(db.tenantId);
      this.#acknowledgeLater(batch);
      return;
    }
    if (db.tenantId !== null && acks.length + returned.length > 0) this.#unavailable.delete(db.tenantId);
    for (const [outcome, { length: count }] of Map.groupBy(batch, (finished) => finished.outcome.kind)) {
      this.#platform.observe({
        event: 'work_queue.acknowledged',
        workQueue: this.#workQueue.name,
        outcome,
        count,
      });
    }
    this.#release(batch);
  }

  /**
   * Queues outcomes for a later write. Each group retries on its own, so an unavailable node delays no other tenant.
   */
  #acknowledgeLater(batch: readonly FinishedAttempt<Result>[]): void {
    const [writable, blocked] = this.#splitByNode(batch);
    this.#onUnavailable(blocked);
    this.#later.push(...writable);
    this.#laterUnavailable.push(...blocked);
    if (this.#later.length > 0 && !this.#isRetrying) this.#retryLater();
    if (this.#laterUnavailable.length > 0 && !this.#isRetryingUnavailable) this.#retryUnavailable();
  }

  /** Never rejects; no caller awaits it. */
  async #retryLater(): Promise<void> {
    this.#isRetrying = true;
    await pause(PAUSE_AFTER_ERROR_MS);
    this.#isRetrying = false;
    this.#acknowledgeSoon(this.#later.splice(0));
  }

  /** Never rejects; no caller awaits it. */
  async #retryUnavailable(): Promise<void> {
    this.#isRetryingUnavailable = true;
    while (this.#laterUnavailable.length > 0) {
      await pause(PAUSE_AFTER_ERROR_MS);
      const ids = [...new Set(this.#laterUnavailable.map(({ claim }) => claim.tenantId))];
      const reachable = await this.#listReachable(ids);
      const waiting = this.#laterUnavailable;
      this.#laterUnavailable = waiting.filter(({ claim }) => !reachable.has(claim.tenantId));
      await this.#acknowledgeByTenant(waiting.filter(({ claim }) => reachable.has(claim.tenantId)));
    }
    this.#isRetryingUnavailable = false;
  }

  /** Returns the tenants whose node is reachable; all tenants when the process stops. Never rejects. */
  async #listReachable(tenantIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (this.#stopping) return new Set(tenantIds);
    const all = this.#platform.database.everyTenant('work-queues');
    return all.listReachable(tenantIds).catch((error: unknown) => {
      this.#platform.observe({ event: 'work_queue.failed', workQueue: this.#workQueue.name, error });
      return new Set<string>();
    });
  }

  /**
   * Handles a batch that the database refuses or whose `acknowledge` throws, without delaying other outcomes.
   * A batch is written row by row. A single row counts as a broken attempt; if that is refused too, only its
   * own columns are written with a plain error. Otherwise the row would return for ever.
   */
  async #acknowledgeRefused(
    db: EveryTenantDb,
    batch: readonly FinishedAttempt<Result>[],
    error: unknown,
    refusals: number,
  ): Promise<void> {
    if (batch.length > 1) {
      for (const finished of batch) await this.#acknowledge(db, [finished]);
      return;
    }
    this.#platform.observe({ event: 'work_queue.failed', workQueue: this.#workQueue.name, error });
    const isFirstError = refusals === 0 || !isInvalidData(error);
    const cause = isFirstError ? error : `the database rejected the outcome (${codeOf(error)})`;
    const broken = batch.map(({ claim, at }) => ({
      claim,
      outcome: brokenOutcome(this.#platform, claim, cause),
      at,
    }));
    await this.#acknowledge(db, broken, refusals + 1);
  }

  #return(db: EveryTenantDb, returned: readonly FinishedAttempt<Result>[]): Promise<void> {
    const claims = returned.map(({ claim }) => claim);
    return returnRows(db, this.#workQueue.table, claims, this.#platform.clock());
  }

  #write(db: EveryTenantDb, acks: readonly Ack<Result>[], refusals: number): Promise<void> {
    const { acknowledge, table } = this.#workQueue;
    const isPlainRow = acknowledge === undefined || refusals > MAX_REFUSALS;
    return isPlainRow ? acknowledgeRows(db, table, acks) : acknowledge(db, acks, this.#platform);
  }
}

function toAck<Result>({ claim, outcome, at }: FinishedAttempt<Result>): Ack<Result>[] {
  return outcome.kind === 'abandoned' || outcome.kind === 'returned' ? [] : [{ claim, outcome, at }];
}
