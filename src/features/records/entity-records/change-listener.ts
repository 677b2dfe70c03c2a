import type { FollowUp } from '../../../resources/follow-up.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { EntityContext } from './entity-context.ts';
import type { UpdatedRecord } from './update-queries.ts';
import type { WrittenRecord } from './write-queries.ts';

/** Kind of a change. A move along the workflow and a change of owner are updates, too. */
export interface ChangeKind {
  readonly event: 'created' | 'updated' | 'deleted';
  /** True if the update may change the state. */
  readonly mayMove?: boolean;
  /** True if the actor becomes the owner. */
  readonly takesOwnership?: boolean;
}

/**
 * A changed record as JSON: after the change, or before its deletion. An update includes the previous version
 * if a listener wants it.
 */
export type ChangedRecord = WrittenRecord & Partial<UpdatedRecord>;

/** A change of some records of one entity. */
export interface RecordChange {
  readonly kind: ChangeKind;
  readonly records: readonly ChangedRecord[];
}

/** Work for a listener, done by the statement that writes the record. */
export interface StatementWork {
  /** Returns true if it works for changes of this kind. */
  handles(kind: ChangeKind): boolean;
  /** Returns the calls to add to the statement. Called for each attempt of a write. */
  of(ctx: EntityContext, kind: ChangeKind, recordId: string): FollowUp;
}

/** A listener to changes. */
export interface ChangeListener {
  /** True if it needs the previous version of updated records. */
  readonly wantsPrevious: boolean;
  /** Returns true if a change of this kind concerns it. Called before each write, so it must be fast. */
  handles(ctx: EntityContext, kind: ChangeKind): boolean;
  /** Replaces `notify` for changes of a single record, unless tables of entities are apart. */
  readonly statementWork?: StatementWork;
  /** Stores the work that a change causes, in its transaction. */
  notify(ctx: EntityContext, tx: ScopedDb, change: RecordChange): Promise<void>;
}
