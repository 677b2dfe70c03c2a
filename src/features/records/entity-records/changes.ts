/**
 * Listeners to changes of records: webhooks and automations. Their work is stored in the transaction of the change. A
 * write without listeners is one statement, without a transaction.
 */
import { retryDeadlocks } from '../../../db/deadlock.ts';
import type { FollowUp } from '../../../resources/follow-up.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { storeChanges } from '../entity-webhooks/index.ts';
import { automationTriggers } from './automation-triggers.ts';
import type { EntityContext } from './open-entity.ts';
import type { UpdatedRecord } from './update-queries.ts';
import type { WrittenRecord } from './write-queries.ts';

/** Kind of a change. A move along the workflow and a change of owner are updates, too. */
export interface ChangeKind {
  readonly event: 'created' | 'updated' | 'deleted';
  /** True if the update may change the state. */
  readonly mayMove?: boolean;
  /** True if the actor becomes the owner. */
  readonly isTake?: boolean;
}

/**
 * A changed record as JSON: after the change, or before its deletion. For an update with its previous version if a
 * listener wants it.
 */
export type ChangedRecord = WrittenRecord & Partial<UpdatedRecord>;

/** A change of some records of one entity. */
export interface RecordChange {
  readonly kind: ChangeKind;
  readonly records: readonly ChangedRecord[];
}

/** Work for a listener that the statement which writes the record can do itself. */
export interface StatementWork {
  /** Returns true if it works for changes of this kind. */
  suits(kind: ChangeKind): boolean;
  /** Returns the calls to add to the statement. Called for each attempt of a write. */
  of(ctx: EntityContext, kind: ChangeKind, recordId: string): FollowUp;
}

/** A listener to changes. */
export interface ChangeListener {
  /** True if it needs the previous version of updated records. */
  readonly wantsFormer: boolean;
  /** Returns true if a change of this kind concerns it. Called before each write, so it must be fast. */
  handles(ctx: EntityContext, kind: ChangeKind): boolean;
  /** Replaces `notify` for changes of a single record, except on a cluster. */
  readonly statementWork?: StatementWork;
  /** Stores the work that a change causes, in its transaction. */
  notify(ctx: EntityContext, tx: ScopedDb, change: RecordChange): Promise<void>;
}

const webhooks: ChangeListener = {
  wantsFormer: false,
  handles: ({ subscriptions, model }, { event }) => subscriptions.events.has(`${model.name}.${event}`),
  notify: ({ platform, now, model }, db, { kind, records }) =>
    storeChanges({ platform, db, now }, { entity: model.name, kind: kind.event, records }),
};

/** All listeners. */
const LISTENERS: readonly ChangeListener[] = [webhooks, automationTriggers];

/** Reports written records to the listeners. */
export type Notify = (records: readonly ChangedRecord[]) => Promise<void>;

/** The listeners of one write. */
export interface Notifier {
  readonly notify: Notify;
  /** True if a listener needs the previous version of updated records. */
  readonly wantsFormer: boolean;
}

/** The listeners of a write of a single record. */
export interface SingleNotifier extends Notifier {
  /** Calls to add to the statement that writes the record. */
  readonly followUps: readonly FollowUp[];
}

/**
 * Runs `write`, which must report each record that it has written. Without listeners the notifier is null and there is
 * no transaction. A deadlock is retried.
 */
export async function writeAndNotify<T>(
  ctx: EntityContext,
  kind: ChangeKind,
  write: (db: ScopedDb, notifier: Notifier | null) => Promise<T>,
): Promise<T> {
  const listeners = LISTENERS.filter((listener) => listener.handles(ctx, kind));
  if (listeners.length === 0) return writeUnreported(ctx, (db) => write(db, null));
  const wantsFormer = listeners.some((listener) => listener.wantsFormer);
  return ctx.db.transaction((tx) => write(tx, { notify: notifyOf(ctx, tx, kind, listeners), wantsFormer }));
}

/**
 * Like `writeAndNotify` for a single record. If its statement does all work of the listeners, there is no transaction.
 */
export async function writeOneAndNotify<T>(
  ctx: EntityContext,
  kind: ChangeKind,
  recordId: string,
  write: (db: ScopedDb, notifier: SingleNotifier) => Promise<T>,
): Promise<T> {
  const listeners = LISTENERS.filter((listener) => listener.handles(ctx, kind));
  const wantsFormer = listeners.some((listener) => listener.wantsFormer);
  const { isSharded } = ctx.platform.database;
  const ownWork = listeners.flatMap(({ statementWork }) =>
    !isSharded && statementWork?.suits(kind) ? [statementWork] : [],
  );
  const notified = listeners.filter(
    ({ statementWork }) => statementWork === undefined || !ownWork.includes(statementWork),
  );
  const writeOn = (db: ScopedDb) => {
    const own = ownWork.map((statementWork) => statementWork.of(ctx, kind, recordId));
    const notify = notifyOf(ctx, db, kind, notified);
    return write(db, { notify, wantsFormer, followUps: [...ctx.followUps, ...own] });
  };
  return notified.length > 0 ? ctx.db.transaction(writeOn) : writeUnreported(ctx, writeOn);
}

/** Runs a write that has nothing to report. */
function writeUnreported<T>({ db }: EntityContext, write: (db: ScopedDb) => Promise<T>): Promise<T> {
  return db.isTransaction ? write(db) : retryDeadlocks(() => write(db));
}

function notifyOf(
  ctx: EntityContext,
  tx: ScopedDb,
  kind: ChangeKind,
  listeners: readonly ChangeListener[],
): Notify {
  return async (records) => {
    for (const listener of listeners) await listener.notify(ctx, tx, { kind, records });
  };
}
