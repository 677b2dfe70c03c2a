/**
 * A work queue is a table of work that must reach the outside world at least once. Its columns are those of
 * `QueueItem`. A claim sets `claim_id` and moves `due_at` to the end of a short lease, which a living worker renews.
 * The row of a dead worker becomes due again by itself. An acknowledgement compares `claim_id`, so a worker that lost
 * its claim changes nothing. A write that moves `due_at` for another reason sets `claim_id` to null.
 */

import type { Generated, RawBuilder } from 'kysely';
import type { EveryTenantDb } from '../db/every-tenant.ts';
import type { Time } from '../db/tables.ts';
import type { Platform } from '../platform.ts';
import type { Claim, Target } from './claim.ts';
import type { FairQueue } from './fair-queue.ts';
import type { RunningWorker } from './process-queues.ts';

/** Columns that every work queue table has. */
export interface QueueItem {
  tenant_id: string;
  id: string;
  /** The unit of limited concurrency; a slow target delays no other. */
  target_id: string;
  state: QueueItemState;
  due_at: Time;
  /** The claim of a worker; null: unclaimed, or ended. */
  claim_id: Generated<string | null>;
  attempts: number;
  /** Number of attempts that threw, or whose outcome has `isFault`. */
  faults: Generated<number>;
  last_error: string | null;
}

/** `pending` waits for its due time; the others are final. */
export type QueueItemState = 'pending' | 'success' | 'failed';

/**
 * How an attempt ended, with an optional result that the acknowledgement stores. An attempt that throws is a fault: it
 * becomes a `retry`, and at the eighth fault `failed`, without a result.
 */
export type Outcome<Result = undefined> =
  | { readonly kind: 'success'; readonly result?: Result }
  | { readonly kind: 'failed'; readonly error: string; readonly isFault?: true; readonly result?: Result }
  | {
      readonly kind: 'retry';
      readonly error: string;
      readonly isFault?: true;
      readonly dueAt: Date;
      readonly result?: Result;
    }
  /** The row starts over, with no attempts counted. */
  | { readonly kind: 'restart'; readonly error?: string; readonly dueAt: Date; readonly result?: Result }
  /** The work is no longer needed; the row is deleted. */
  | { readonly kind: 'drop' }
  /** No attempt was made; the row becomes due again when its lease ends. */
  | { readonly kind: 'abandoned' }
  /** No attempt was made for lack of memory, room or an available node; the row is due again at once. */
  | { readonly kind: 'returned' };

/** The acknowledgement of an attempt: the outcome to write for its claim. */
export interface Ack<Result = undefined> {
  readonly claim: Claim;
  readonly outcome: Exclude<Outcome<Result>, { readonly kind: 'abandoned' | 'returned' }>;
  readonly at: Date;
}

/**
 * Bounds of the due times that a work queue sets. A pending row without a claim that is due later was written by a
 * clock that was ahead.
 */
export interface DueTimes {
  /** SQL over the columns of a row `l`: the earliest time of its first attempt; absent: none. */
  readonly notBefore?: RawBuilder<unknown>;
  /** The longest wait before a retry after this number of attempts, in seconds. */
  readonly longestWaitSeconds: (platform: Platform, attempts: number) => number;
}

/** A queue whose slots attempts occupy until their row is acknowledged. */
export interface Gate {
  /** The queue of a process; several work queues may share it. */
  readonly queue: (platform: Platform) => FairQueue;
  /** Priority; a lower number goes first. */
  readonly lane: number;
  /** Longest wait for a slot since the claim, in ms; after that the row returns when its lease ends. */
  readonly maxWaitMs: number;
  /** If true, more rows of a fast target are claimed than it has slots. */
  readonly claimsAhead?: true;
}

/**
 * A kind of durable work. `Work` is the loaded data of an attempt, `Result` what it returns, `Row` the claimed columns.
 */
export interface WorkQueueDefinition<Work, Result = undefined, Row = unknown> {
  readonly name: string;
  /** A table with the columns of `QueueItem`. */
  readonly table: string;
  /** A view (`security_invoker`) of this work queue's rows, with these columns; absent: the whole table. */
  readonly view?: string;
  /**
   * If true, rows of a target with the same `record_id` (null: no record) are processed one after the other, in the
   * order of the column `place`. The row that waited for an acknowledged one is claimed at once.
   */
  readonly isOrdered?: boolean;
  /** Placeholder tenant ids of rows that belong to no tenant; they sort after all tenant ids. */
  readonly extraTenantIds?: readonly string[];
  /** The columns of `Row`, which each claim brings along. */
  readonly columns?: readonly (keyof Row & string)[];
  /**
   * Columns that may be large. They are null if they exceed 4 KiB together, because many claims are in memory at once.
   * The row's `left_out` is then their size in bytes, otherwise 0.
   */
  readonly largeColumns?: readonly (keyof Row & string)[];
  /** Concurrent attempts of one process: total, per target and per tenant; with a gate: rows claimed ahead. */
  readonly concurrency: number | ((platform: Platform) => number);
  readonly concurrencyPerTarget: number;
  readonly concurrencyPerTenant: number;
  /** Absent: an attempt starts when its target has a free slot, and frees the slot when it ends. */
  readonly gate?: Gate;
  /** Shortest time between two polls for due rows, so that each finds many; default 50 ms. */
  readonly minPollIntervalMs?: number;
  /** Interval of polls for rows that other processes wrote or that became due; default 300 ms. */
  readonly pollEveryMs?: number;
  readonly dueTimes: DueTimes;
  /** Length of a lease, which the worker renews while it has the row; default `LEASE_SECONDS`. */
  readonly leaseSeconds?: number;
  /**
   * Processes up to `limit` due rows of a target in one transaction, deletes them, and returns their number. For cheap
   * rows in large numbers, where a lease costs as much as the work. If it rejects, the rows are claimed and attempted.
   */
  readonly consume?: (platform: Platform, target: Target, limit: number) => Promise<number>;
  /** Loads the data of the attempts in one statement, keyed by claim id. A claim without an entry is dropped. */
  readonly load: (
    platform: Platform,
    claims: readonly Claim<Row>[],
  ) => Promise<ReadonlyMap<string, Work>> | ReadonlyMap<string, Work>;
  /** Runs before the attempt has a slot, without effects outside. An outcome ends the attempt. */
  readonly prepare?: (platform: Platform, claim: Claim, work: Work) => Promise<Outcome<Result> | null>;
  /** Makes one attempt. Replies and errors of other systems are outcomes; a thrown error is a fault of Tessera. */
  readonly attempt: (platform: Platform, claim: Claim, work: Work) => Promise<Outcome<Result>>;
  /** Releases resources of the work; called once, when the attempt has ended or was not made. */
  readonly release?: (work: Work) => void;
  /**
   * Writes a batch with its results in one statement of `all`, which commits by itself; absent: `acknowledgeRows`. If
   * it rejects, the batch is written later, or row by row if the database refuses the data.
   */
  readonly acknowledge?: (
    all: EveryTenantDb,
    acks: readonly Ack<Result>[],
    platform: Platform,
  ) => Promise<void>;
}

/** A work queue of any type; only its worker knows the types of its work and results. */
export interface WorkQueue
  extends Pick<WorkQueueDefinition<never>, 'name' | 'table' | 'view' | 'extraTenantIds' | 'dueTimes'> {
  readonly createWorker: (platform: Platform) => RunningWorker;
}
