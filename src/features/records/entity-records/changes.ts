/**
 * Who hears of changes of records: what is owed to them is written in the transaction of the change. A write that nobody hears
 * of is one statement, without a transaction.
 */
import { retryDeadlocks } from '../../../db/deadlock.ts';
import type { FollowUp } from '../../../resources/follow-up.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { noteChanges } from '../entity-webhooks/index.ts';
import { automationTriggers } from './automation-triggers.ts';
import type { EntityContext } from './open-entity.ts';
import type { UpdatedRecord } from './update-queries.ts';
import type { WrittenRecord } from './write-queries.ts';

/** What happens to records. A move along the workflow and a take are updates, too. */
export interface ChangeKind {
  readonly event: 'created' | 'updated' | 'deleted';
  /** Whether records may come to another state. */
  readonly mayMove?: boolean;
  /** Whether the actor becomes their owner. */
  readonly isTake?: boolean;
}

/**
 * A record that has changed, as its JSON shows it: after the change, or before it is deleted; of an update also as it was, where
 * somebody wants it.
 */
export type ChangedRecord = WrittenRecord & Partial<UpdatedRecord>;

/** A change of some records of one entity. */
export interface RecordChange {
  readonly kind: ChangeKind;
  readonly records: readonly ChangedRecord[];
}

/** What follows by the statement that writes a record. */
export interface Following {
  /** Whether it does for changes of this kind. */
  suits(kind: ChangeKind): boolean;
  /** What the statement also does. Made for each try of a write. */
  of(ctx: EntityContext, kind: ChangeKind, recordId: string): FollowUp;
}

/** Hears of changes. */
export interface ChangeListener {
  /** Whether it wants to know how updated records were before. */
  readonly wantsFormer: boolean;
  /** Whether a change of this kind concerns it. Asked before each write, so it takes no time. */
  hears(ctx: EntityContext, kind: ChangeKind): boolean;
  /** How the statement that changes one record, or makes it, does what follows, instead of a note afterwards. Not on a cluster. */
  readonly following?: Following;
  /** Writes down what follows from a change, in its transaction. */
  note(ctx: EntityContext, tx: ScopedDb, change: RecordChange): Promise<void>;
}

const webhooks: ChangeListener = {
  wantsFormer: false,
  hears: ({ heard, model }, { event }) => heard.events.has(`${model.name}.${event}`),
  note: ({ platform, now, model }, db, { kind, records }) =>
    noteChanges({ platform, db, now }, { entity: model.name, kind: kind.event, records }),
};

/** THE list of those who hear. */
const LISTENERS: readonly ChangeListener[] = [webhooks, automationTriggers];

/** Notes that records were written, for all who hear of it. */
export type Note = (records: readonly ChangedRecord[]) => Promise<void>;

/** What a write owes those who hear of it. */
export interface Hearing {
  readonly note: Note;
  /** Whether records must be told also as they were before an update. */
  readonly wantsFormer: boolean;
}

/** What the write of one record owes. */
export interface HearingOfOne extends Hearing {
  /** What its statement also does. */
  readonly followUps: readonly FollowUp[];
}

/**
 * Writes records. `write` works through the rows that it is given and notes each record that it has written; where nobody hears
 * of them, it is given null. It is done again after a deadlock.
 */
export async function noting<T>(
  ctx: EntityContext,
  kind: ChangeKind,
  write: (db: ScopedDb, hearing: Hearing | null) => Promise<T>,
): Promise<T> {
  const heard = LISTENERS.filter((listener) => listener.hears(ctx, kind));
  if (heard.length === 0) return unheard(ctx, (db) => write(db, null));
  const wantsFormer = heard.some((listener) => listener.wantsFormer);
  return ctx.db.transaction((tx) => write(tx, { note: noteOf(ctx, tx, kind, heard), wantsFormer }));
}

/**
 * Changes or makes one record, as `noting`: but what its statement can do at once needs no note, and without any it is again one
 * statement without a transaction.
 */
export async function notingOne<T>(
  ctx: EntityContext,
  kind: ChangeKind,
  recordId: string,
  write: (db: ScopedDb, hearing: HearingOfOne) => Promise<T>,
): Promise<T> {
  const heard = LISTENERS.filter((listener) => listener.hears(ctx, kind));
  const wantsFormer = heard.some((listener) => listener.wantsFormer);
  const { isSharded } = ctx.platform.database;
  const followings = heard.flatMap(({ following }) =>
    !isSharded && following?.suits(kind) ? [following] : [],
  );
  const noters = heard.filter(({ following }) => following === undefined || !followings.includes(following));
  const writeOn = (db: ScopedDb) => {
    const own = followings.map((following) => following.of(ctx, kind, recordId));
    const note = noteOf(ctx, db, kind, noters);
    return write(db, { note, wantsFormer, followUps: [...ctx.followUps, ...own] });
  };
  return noters.length > 0 ? ctx.db.transaction(writeOn) : unheard(ctx, writeOn);
}

/** Writes what is owed to nobody, or by the statement itself. */
function unheard<T>({ db }: EntityContext, write: (db: ScopedDb) => Promise<T>): Promise<T> {
  return db.isTransaction ? write(db) : retryDeadlocks(() => write(db));
}

function noteOf(
  ctx: EntityContext,
  tx: ScopedDb,
  kind: ChangeKind,
  listeners: readonly ChangeListener[],
): Note {
  return async (records) => {
    for (const listener of listeners) await listener.note(ctx, tx, { kind, records });
  };
}
