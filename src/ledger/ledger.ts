/**
 * Work that must reach the outside world at least once is a row before it happens. A ledger's table has the
 * columns of `LedgerRow`; a claim moves `due_at` to the end of its lease, so that a row whose worker died becomes
 * due again by itself, and settling names the claimed `due_at`, so that a worker that lost its lease changes nothing.
 */
import type { Kysely, RawBuilder } from 'kysely';
import type { Tables } from '../db/tables.ts';
import type { Platform } from '../platform.ts';

/** What the ledger itself needs of a row. */
export interface LedgerRow {
  tenant_id: string;
  id: string;
  /** What limits concurrency: one slow target never holds up another. */
  target_id: string;
  state: LedgerState;
  due_at: string | Date;
  attempts: number;
  last_status_code: number | null;
  last_error: string | null;
}

/** `pending` waits for its due time; the others are final. */
export type LedgerState = 'pending' | 'success' | 'failed';

/** A row leased to this process. */
export interface Claim {
  readonly tenantId: string;
  readonly id: string;
  readonly targetId: string;
  /** Attempts that were made and settled before this one. */
  readonly attempts: number;
  /** Moves when a lease that was over by the clock is taken again by the process that holds it. */
  leasedUntil: string;
}

/** Names a target: tenants may have one in common. */
export function targetKey(tenantId: string, targetId: string): string {
  return `${tenantId} ${targetId}`;
}

/** How an attempt ended: final, to be made again at `dueAt`, or the row dropped because nobody wants it any more. */
export type Outcome =
  /** `isSettled`: the attempt has written this into its row itself, so there is nothing left to settle. */
  | { readonly kind: 'success'; readonly statusCode: number | null; readonly isSettled?: true }
  | { readonly kind: 'failed'; readonly statusCode: number | null; readonly error: string }
  | {
      readonly kind: 'retry';
      readonly statusCode: number | null;
      readonly error: string;
      readonly dueAt: Date;
    }
  | { readonly kind: 'drop' }
  /** The attempt itself broke: nothing is known, and the row becomes due again when its lease ends. */
  | { readonly kind: 'abandoned' };

/** A claim and what came of it. */
export interface Settlement {
  readonly claim: Claim;
  readonly outcome: Outcome;
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

/** A kind of outside work. */
export interface LedgerDefinition<Work> {
  readonly name: string;
  /** A table with the columns of `LedgerRow`, or a view of some of such a table's rows (`security_invoker`). */
  readonly table: string;
  /** Attempts under way at once in one process, in all, per target and per tenant. */
  readonly concurrency: number | ((platform: Platform) => number);
  readonly concurrencyPerTarget: number;
  readonly concurrencyPerTenant: number;
  /** The least time between two claims that found rows, so that each takes many; 0 when absent. Milliseconds. */
  readonly claimEveryMs?: number;
  readonly dueTimes: DueTimes;
  /** Longer than any attempt can take, seconds. */
  readonly leaseSeconds: (platform: Platform) => number;
  /** Reads what the attempts need, in one statement; a claim without an entry is dropped. Keyed by claim id. */
  readonly load: (platform: Platform, claims: readonly Claim[]) => Promise<ReadonlyMap<string, Work>>;
  /** Makes one attempt. Never rejects for what the outside world does. */
  readonly attempt: (platform: Platform, claim: Claim, work: Work) => Promise<Outcome>;
  /**
   * A call of SQL that notes what else follows from a batch of attempts, made by the statement that settles them: it
   * costs no round trip and no transaction of its own. Null: there is nothing to note.
   */
  readonly noteWithSettling?: (settlements: readonly Settlement[]) => RawBuilder<unknown> | null;
  /** Writes what takes more statements than that, in the transaction that settles the batch. */
  readonly afterSettle?: (query: Kysely<Tables>, settlements: readonly Settlement[]) => Promise<void>;
  /**
   * Runs once a batch is settled and committed, or given up: because the process stops, or, as `abandoned`, because the
   * database refuses a row.
   */
  readonly afterCommit?: (platform: Platform, settlements: readonly Settlement[]) => void;
}

/** Any ledger, its work loaded and attempted in one step that keeps the work's type to itself. */
export interface Ledger extends Omit<LedgerDefinition<never>, 'load' | 'attempt'> {
  /** Reads what a batch of attempts needs. */
  readonly prepare: (platform: Platform, claims: readonly Claim[]) => Promise<readonly Attempt[]>;
}

/** An attempt that can be made. */
export interface Attempt {
  readonly claim: Claim;
  /** Makes it; never rejects. */
  readonly make: () => Promise<Settlement>;
}

/** Declares a ledger for a feature's manifest. */
export function defineLedger<Work>(definition: LedgerDefinition<Work>): Ledger {
  const { load, attempt, ...facts } = definition;
  const settle = async (platform: Platform, claim: Claim, work: Work | undefined): Promise<Settlement> => {
    let outcome: Outcome;
    try {
      outcome = work === undefined ? { kind: 'drop' } : await attempt(platform, claim, work);
    } catch (error) {
      platform.observe({ event: 'ledger.failed', ledger: facts.name, error });
      outcome = { kind: 'abandoned' };
    }
    return { claim, outcome, at: platform.clock() };
  };
  return {
    ...facts,
    prepare: async (platform, claims) => {
      const work = await load(platform, claims);
      return claims.map((claim) => ({ claim, make: () => settle(platform, claim, work.get(claim.id)) }));
    },
  };
}
