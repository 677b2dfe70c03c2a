/**
 * Work that must reach the outside world at least once is a row before it happens. A ledger's table has the
 * columns of `LedgerRow`; a claim moves `due_at` to the end of its lease, so that a row whose worker died becomes
 * due again by itself, and settling names the claimed `due_at`, so that a worker that lost its lease changes nothing.
 */

import type { Generated, RawBuilder } from 'kysely';
import type { EveryTenantDb } from '../db/every-tenant.ts';
import type { Time } from '../db/tables.ts';
import type { Platform } from '../platform.ts';
import type { FairQueue } from './fair-queue.ts';
import { LedgerWorker } from './ledger-worker.ts';

/** What the ledger itself needs of a row. */
export interface LedgerRow {
  tenant_id: string;
  id: string;
  /** What limits concurrency: one slow target never holds up another. */
  target_id: string;
  state: LedgerState;
  due_at: Time;
  attempts: number;
  /** Of these, the tries that count against the row: attempts that broke, and what the ledger makes equal to them. */
  faults: Generated<number>;
  last_error: string | null;
}

/** `pending` waits for its due time; the others are final. */
export type LedgerState = 'pending' | 'success' | 'failed';

/** A target of a ledger. */
export interface Target {
  readonly tenantId: string;
  readonly targetId: string;
}

/** A row leased to this process, with the columns that its ledger asks for. */
export interface Claim<Row = unknown> extends Target {
  readonly id: string;
  /** Attempts that were made and settled before this one. */
  readonly attempts: number;
  /** How many of these were faults. */
  readonly faults: number;
  readonly row: Row;
  /** Moves when a lease that was over by the clock is taken again by the process that holds it. */
  leasedUntil: string;
}

/**
 * How an attempt ended, with what it found out as the ledger's own note. An attempt that throws has broken: the ledger
 * makes that a `retry`, and at the eighth fault `failed`, without a note.
 */
export type Outcome<Note = undefined> =
  | { readonly kind: 'success'; readonly note?: Note }
  | { readonly kind: 'failed'; readonly error: string; readonly isFault?: true; readonly note?: Note }
  | {
      readonly kind: 'retry';
      readonly error: string;
      readonly isFault?: true;
      readonly dueAt: Date;
      readonly note?: Note;
    }
  /** The row begins anew, as if it had never been tried. */
  | { readonly kind: 'anew'; readonly error?: string; readonly dueAt: Date; readonly note?: Note }
  /** Nobody wants it any more: the row goes. */
  | { readonly kind: 'drop' }
  /** It was not made: the row becomes due again when its lease ends. */
  | { readonly kind: 'abandoned' }
  /** It was not made, for want of memory, of room or of the node that has its rows: the row is due again at once. */
  | { readonly kind: 'returned' };

/** A claim and what came of it, to be written. */
export interface Settlement<Note = undefined> {
  readonly claim: Claim;
  readonly outcome: Exclude<Outcome<Note>, { readonly kind: 'abandoned' | 'returned' }>;
  readonly at: Date;
}

/**
 * The due times that a ledger's rules can give: a pending row that is due later was leased by a process that is gone,
 * or by a clock that was ahead.
 */
export interface DueTimes {
  /** SQL over the columns of a row `l`: what its first attempt waits for. Absent: nothing. */
  readonly notBefore?: RawBuilder<unknown>;
  /** The longest wait for another attempt after so many, seconds. */
  readonly longestWaitSeconds: (platform: Platform, attempts: number) => number;
}

/** Where attempts wait for a place that they keep until their row is settled. */
export interface Gate {
  /** Of a process; several ledgers may share one. */
  readonly queue: (platform: Platform) => FairQueue;
  /** The lower goes first. */
  readonly lane: number;
  /** How long an attempt waits at most from its claim, milliseconds; then its row comes back with its lease. */
  readonly maxWaitMs: number;
  /** Of a quick target more rows may be claimed than wait for a place otherwise. */
  readonly claimsAhead?: true;
}

/** A kind of outside work; its attempts find out a `Note`. */
export interface LedgerDefinition<Work, Note = undefined, Row = unknown> {
  readonly name: string;
  /** A table with the columns of `LedgerRow`. */
  readonly table: string;
  /** A view of those of its rows that are this ledger's (`security_invoker`), with these columns; absent: all are. */
  readonly view?: string;
  /**
   * Whether rows of a target for the same record (a column `record_id`; null: for none) are worked one after the other, in the order
   * of a column `place`. What a settled row has kept waiting is looked for at once.
   */
  readonly isOrdered?: boolean;
  /** What stands for tenants in rows that belong to none, after all ids of tenants. */
  readonly besides?: readonly string[];
  /** The columns of `Row`, which each claim brings along. */
  readonly columns?: readonly (keyof Row & string)[];
  /**
   * Those of them that may be large. They are null when they have more than 4 KiB together, as claims are held in great
   * numbers: `left_out` of the row, which is 0 else, tells how many octets they have.
   */
  readonly largeColumns?: readonly (keyof Row & string)[];
  /** Attempts under way at once in one process, in all, per target and per tenant; with a gate: rows claimed ahead. */
  readonly concurrency: number | ((platform: Platform) => number);
  readonly concurrencyPerTarget: number;
  readonly concurrencyPerTenant: number;
  /** Absent: an attempt is made as soon as its target has a place, which is free again once it is made. */
  readonly gate?: Gate;
  /** The least time between two looks for due rows, so that each finds many; absent: 50. Milliseconds. */
  readonly lookEveryMs?: number;
  /** How often a ledger with waiting rows looks for those that others wrote or that became due; absent: 300. Milliseconds. */
  readonly pollEveryMs?: number;
  readonly dueTimes: DueTimes;
  /** Longer than any attempt can take with its wait for a place, unless the attempt renews its lease; seconds. */
  readonly leaseSeconds: (platform: Platform) => number;
  /** How long a lease may be that an attempt has lengthened; absent: none does. */
  readonly longestLeaseSeconds?: number;
  /**
   * Deals with up to so many due rows of a target in one transaction, which removes them; returns how many those were. For rows that
   * are many and cheap: a lease costs as much as their work. May reject: as many rows are claimed then, and attempted.
   */
  readonly consume?: (platform: Platform, target: Target, limit: number) => Promise<number>;
  /** Reads what the attempts need, in one statement; a claim without an entry is dropped. Keyed by claim id. */
  readonly load: (
    platform: Platform,
    claims: readonly Claim<Row>[],
  ) => Promise<ReadonlyMap<string, Work>> | ReadonlyMap<string, Work>;
  /** What is done before the attempt has a place: nothing in the outside world. An outcome ends the attempt. */
  readonly prepare?: (platform: Platform, claim: Claim, work: Work) => Promise<Outcome<Note> | null>;
  /** Makes one attempt. What the outside world does is an outcome; whatever is thrown is a fault of ours. */
  readonly attempt: (platform: Platform, claim: Claim, work: Work) => Promise<Outcome<Note>>;
  /** Lets go of what the work holds: called once when the attempt has ended, or was not made. */
  readonly release?: (work: Work) => void;
  /**
   * Writes a batch with its notes in one statement of `all`, which commits by itself; absent: `settleRows`. May
   * reject: the batch is written later, or row by row when the database refuses the data.
   */
  readonly settle?: (
    all: EveryTenantDb,
    settlements: readonly Settlement<Note>[],
    platform: Platform,
  ) => Promise<void>;
}

/** Any ledger: the worker keeps the types of its work and its notes to itself. */
export interface Ledger
  extends Pick<LedgerDefinition<never>, 'name' | 'table' | 'view' | 'besides' | 'dueTimes'> {
  readonly createWorker: (
    platform: Platform,
  ) => Pick<LedgerWorker<never>, 'start' | 'wake' | 'leaseFor' | 'begin' | 'poll' | 'stop'>;
}

/** Declares a ledger for a feature's manifest. */
export function defineLedger<Work, Note = undefined, Row = unknown>(
  definition: LedgerDefinition<Work, Note, Row>,
): Ledger {
  const { name, table, view = table, besides = [], dueTimes } = definition;
  const createWorker = (platform: Platform) => new LedgerWorker(platform, definition);
  return { name, table, view, besides, dueTimes, createWorker };
}
