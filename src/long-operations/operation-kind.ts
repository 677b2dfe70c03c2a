/** Kinds of long operations, as features declare them and as the platform uses them. */
import Type, { type Static, type TSchema } from 'typebox';
import type { Job } from '../jobs/jobs.ts';
import type { Platform } from '../platform.ts';
import type { EntityType } from '../resources/entity-types.ts';
import type { Caller, Role } from '../tenancy/caller.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import type { RecordChange } from './changes.ts';
import type { OperationCounts, OperationProblem, OperationRow } from './operations.ts';

/** Cause of an early end: the starter lost the role, its runs break, or a member cancels it. */
export type StopCause = 'no_role' | 'fault' | 'cancelled';

/** An operation under way. */
export interface RunningOperation<P, S> {
  readonly id: string;
  /** The unit in which its starter acts; null: the whole tenant. */
  readonly unitId: string | null;
  readonly params: P;
  readonly state: S;
}

/** Context of a part. `db` is its transaction, with the present rights of the member who started the operation. */
export interface PartContext {
  readonly platform: Platform;
  readonly caller: Caller;
  readonly db: ScopedDb;
  readonly now: Date;
}

/** Result of a part, stored in its transaction. */
export interface PartResult<S> {
  /** Start of the next part. */
  readonly state: S;
  readonly isLast: boolean;
  /** Number of items that the part processed. */
  readonly done: number;
  /** Added to the counts of the operation. */
  readonly counts?: OperationCounts;
  readonly problems?: readonly OperationProblem[];
  /** Records that the part has changed, so that the operation can be reverted. */
  readonly changes?: readonly RecordChange[];
}

/** Reason to leave a record as it is. */
export type SkipReason = 'changed' | 'unavailable' | 'invalid';

/** Result of undoing changes. */
export interface Undone {
  readonly removed: number;
  readonly restored: number;
  readonly skipped: readonly { readonly key: string; readonly reason: SkipReason }[];
}

/** Rules of reverting a kind of operation. */
export interface RevertDefinition {
  /** The kind of the changed records in history. */
  readonly entityType: EntityType;
  /** The role that a revert needs in the unit of each record. */
  readonly role: Role;
  readonly undo: Undo;
}

/** Removes created records and restores others, unless somebody has changed them since. */
export type Undo = (changes: readonly RecordChange[], ctx: PartContext) => Promise<Undone>;

/** Input of a revert. */
export const RevertParams = Type.Object({ operation_id: Type.String() });

/** A kind of operation that runs in parts. */
export interface OperationDefinition<P extends TSchema, S extends TSchema> {
  /** Unique, such as `subscriber_import`. The console has a text for it. */
  readonly kind: string;
  /** Input of the operation: ids and conditions, not copies of rows. */
  readonly params: P;
  /** Start of a part. */
  readonly state: S;
  /** The state of the first part. */
  readonly initialState: Static<S>;
  /** The role that the starter needs while it runs: in its unit, or in any unit if it has none. */
  readonly role: Role;
  /** A further condition on the starter. */
  readonly isAllowed?: (caller: Caller) => boolean;
  /** Does the next part. It changes nothing but the database, because it is repeated after a rollback. */
  readonly part: (
    operation: RunningOperation<Static<P>, Static<S>>,
    ctx: PartContext,
  ) => Promise<PartResult<Static<S>>>;
  /** True for errors of a part that a concurrent transaction has caused; the part is repeated at once. */
  readonly isRace?: (error: unknown) => boolean;
  /** Runs in the transaction that ends the operation early. Returns problems to store. */
  readonly stopped?: (
    operation: RunningOperation<Static<P>, Static<S>>,
    tx: ScopedDb,
    cause: StopCause,
  ) => Promise<readonly OperationProblem[]>;
  /** Deletes what an early end leaves behind, outside a transaction. It may run several times. */
  readonly cleanUp?: (operationId: string, db: ScopedDb, platform: Platform) => Promise<void>;
  /** Rules of reverting it; its parts return their changes. */
  readonly revert?: RevertDefinition;
  /** How earlier versions have queued its job: the job's name, and the member of the payload with the id. */
  readonly queuedAs?: { readonly job: string; readonly id: string };
}

/** A kind of operation that the API shows. */
export interface OperationKind {
  readonly kind: string;
  readonly jobs: readonly Job[];
  /** Ends an operation, whose row is locked, in the transaction of the request that cancels it. */
  readonly cancel: (row: OperationRow, tx: ScopedDb, platform: Platform) => Promise<void>;
  /** Absent: such operations cannot be reverted. */
  readonly revert?: Revert;
}

/** Reverting a kind of operation. */
export interface Revert {
  readonly definition: RevertDefinition;
  /** Starts an operation of this kind with the id of the reverted one. */
  readonly kind: PartedOperation<typeof RevertParams>;
}

/** A kind whose operations `startOperation` starts. */
export interface PartedOperation<P extends TSchema = TSchema> extends OperationKind {
  readonly params: P;
  readonly initialState: unknown;
  /** True if the member may start and run such an operation. */
  readonly mayRun: (caller: Caller, unitId: string | null) => boolean;
  readonly enqueue: (turn: OperationTurn, tx: ScopedDb, platform: Platform) => Promise<void>;
  /** Runs one job: at least one part, and hands over after `runMs`. @throws the error of a part that may be retried. */
  readonly run: (turn: OperationTurn, platform: Platform, runMs?: number) => Promise<void>;
}

/** The operation of a job; `turn` is the number of the job within it. */
export interface OperationTurn {
  readonly tenantId: string;
  readonly operationId: string;
  readonly turn: number;
}
