/**
 * Who hears of changes of records: what is owed to them is written in the transaction of the change. A write that nobody hears
 * of is one statement, without a transaction.
 */
import { retryDeadlocks } from '../../db/deadlock.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import type { EntityModel } from '../entities/index.ts';
import { noteChanges } from '../entity-webhooks/index.ts';
import type { EntityContext } from './open-entity.ts';
import type { WrittenRecord } from './write-queries.ts';

/** What happens to records. */
export type RecordEvent = 'created' | 'updated' | 'deleted';

/** A change of some records of one entity, each as its JSON shows it: after the change, or before it is deleted. */
export interface RecordChange {
  readonly model: EntityModel;
  readonly event: RecordEvent;
  readonly records: readonly WrittenRecord[];
}

/** Hears of changes. */
export interface ChangeListener {
  /** Whether a change of this kind concerns it. Asked before each write, so it takes no time. */
  hears(ctx: EntityContext, event: RecordEvent): boolean;
  /** Writes down what follows from a change, in its transaction. */
  note(ctx: EntityContext, tx: ScopedDb, change: RecordChange): Promise<void>;
}

const webhooks: ChangeListener = {
  hears: ({ heard, model }, event) => heard.has(`${model.name}.${event}`),
  note: ({ platform, now }, db, { model, event, records }) =>
    noteChanges({ platform, db, now }, { entity: model.name, kind: event, records }),
};

/** THE list of those who hear. */
const LISTENERS: readonly ChangeListener[] = [webhooks];

/** Notes that records were written, for all who hear of it. */
export type Note = (records: readonly WrittenRecord[]) => Promise<void>;

/**
 * Writes records. `write` works through the rows that it is given and tells `note` of each record that it has written; where
 * nobody hears of them, `note` is null. It is done again after a deadlock.
 */
export async function noting<T>(
  ctx: EntityContext,
  event: RecordEvent,
  write: (db: ScopedDb, note: Note | null) => Promise<T>,
): Promise<T> {
  const heard = LISTENERS.filter((listener) => listener.hears(ctx, event));
  if (heard.length > 0)
    return ctx.db.transaction((tx) =>
      write(tx, async (records) => {
        for (const listener of heard) await listener.note(ctx, tx, { model: ctx.model, event, records });
      }),
    );
  return ctx.db.isTransaction ? write(ctx.db, null) : retryDeadlocks(() => write(ctx.db, null));
}
