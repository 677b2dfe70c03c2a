/**
 * Listeners to changes of records: webhooks and automations. Their work is stored in the transaction of the change. A
 * write without listeners is one statement, without a transaction.
 */
import { retryDeadlocks } from '../../../db/deadlock.ts';
import type { FollowUp } from '../../../resources/follow-up.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { storeChanges } from '../entity-webhooks/index.ts';
import { automationTriggers } from './automation-triggers.ts';
import type { ChangedRecord, ChangeKind, ChangeListener } from './change-listener.ts';
import type { EntityContext } from './entity-context.ts';

const webhooks: ChangeListener = {
  wantsPrevious: false,
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
  readonly wantsPrevious: boolean;
}

/** The listeners of a write of a single record. */
export interface SingleNotifier extends Notifier {
  /** Calls to add to the statement that writes the record. */
  readonly followUps: readonly FollowUp[];
}

/**
 * Runs `write`, which must pass each record that it writes to the notifier. Without listeners, the notifier is null and
 * there is no transaction. After a deadlock, `write` runs again.
 */
export async function writeAndNotify<T>(
  ctx: EntityContext,
  kind: ChangeKind,
  write: (db: ScopedDb, notifier: Notifier | null) => Promise<T>,
): Promise<T> {
  const listeners = LISTENERS.filter((listener) => listener.handles(ctx, kind));
  if (listeners.length === 0) return writeWithoutTransaction(ctx, (db) => write(db, null));
  const wantsPrevious = listeners.some((listener) => listener.wantsPrevious);
  return ctx.db.transaction((tx) => write(tx, { notify: notifyOf(ctx, tx, kind, listeners), wantsPrevious }));
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
  const wantsPrevious = listeners.some((listener) => listener.wantsPrevious);
  const { keepsEntitiesApart } = ctx.platform.database;
  const statementWorks = listeners.flatMap(({ statementWork }) =>
    !keepsEntitiesApart && statementWork?.handles(kind) ? [statementWork] : [],
  );
  const otherListeners = listeners.filter(
    ({ statementWork }) => statementWork === undefined || !statementWorks.includes(statementWork),
  );
  const writeOn = (db: ScopedDb) => {
    const followUps = statementWorks.map((statementWork) => statementWork.of(ctx, kind, recordId));
    const notify = notifyOf(ctx, db, kind, otherListeners);
    return write(db, { notify, wantsPrevious, followUps: [...ctx.followUps, ...followUps] });
  };
  return otherListeners.length > 0 ? ctx.db.transaction(writeOn) : writeWithoutTransaction(ctx, writeOn);
}

/** Runs a write that needs no transaction, and repeats it after a deadlock. An open transaction is used as it is. */
function writeWithoutTransaction<T>({ db }: EntityContext, write: (db: ScopedDb) => Promise<T>): Promise<T> {
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
