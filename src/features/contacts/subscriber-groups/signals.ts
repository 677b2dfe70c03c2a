/**
 * Signals report events of subscribers to watchers, such as journeys. The statement that causes an event writes the
 * signal if the event is watched; a worker of the watching feature processes it soon after.
 */

import { expressionBuilder, type RawBuilder, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Tables } from '../../../db/tables.ts';
import { causeText, type StoredCause } from '../../../flows/chain.ts';
import type { JsonColumn } from '../../../resources/field-types.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { tenantRow } from '../../../tenancy/tenant-row.ts';
import type { Claim } from '../../../work-queue/claim.ts';
import type { QueueItem } from '../../../work-queue/work-queue.ts';

/** Kinds of watched events. */
export type WatchedKind =
  /** A subscriber joined a list or an audience, or subscribed to a type. The key is its id. */
  | 'list_joined'
  | 'audience_entered'
  | 'subscribed'
  /** A subscriber became active or inactive. */
  | 'activity'
  /**
   * A submission of the form in the key. Watchers watch `form_submission` to start on it, and `form_awaited` to
   * continue after it. Signals are always a `form_submission`.
   */
  | 'form_submission'
  | 'form_awaited'
  /** Events of mail and sites. */
  | 'open'
  | 'click'
  | 'page_view'
  | 'purchase';

declare module '../../../db/tables.ts' {
  interface Tables {
    subscriber_watches: {
      tenant_id: string;
      kind: WatchedKind;
      key: string;
      watcher_id: string;
      /** True for watches that last while the watcher is active, false for those that last while it exists. */
      is_trigger: boolean;
      /** Start of the uninterrupted watch. */
      since: Time;
    };
    subscriber_signals: QueueItem & {
      kind: WatchedKind;
      subscriber_id: string;
      key: string;
      occurred_at: Time;
      data: JsonColumn<object> | null;
      cause: JsonColumn<StoredCause> | null;
    };
  }
}

/** Work queue of signals, and its table. */
export const SUBSCRIBER_SIGNALS = { name: 'subscriber-signals', table: 'subscriber_signals' };

/** A kind of event, with its key. */
export interface Watch {
  readonly kind: WatchedKind;
  /** Empty for any key. */
  readonly key: string;
}

/** An event of a subscriber. */
export interface Signal extends Watch {
  readonly subscriberId: string;
  readonly occurredAt: Date;
  readonly data?: object;
}

/**
 * SQL that is true if a kind is watched with this key or any key; with `at`, if it was watched already at that time.
 */
export function isWatched(
  tenantId: string,
  kind: WatchedKind,
  key: RawBuilder<unknown>,
  at?: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from subscriber_watches w
    where w.tenant_id = ${tenantId}::uuid and w.kind = ${kind} and w.key in (${key}, '')
      ${at === undefined ? sql`` : sql`and w.since <= ${at}`})`;
}

/** Condition that is true if at least one of these kinds is watched with this key or any key. */
export function isAnyWatched(kinds: readonly WatchedKind[], key: RawBuilder<string>) {
  const eb = expressionBuilder<Tables, never>();
  return eb.exists(
    eb
      .selectFrom('subscriber_watches as watch')
      .select('watch.key')
      .where('watch.kind', 'in', kinds)
      .where('watch.key', 'in', [key, sql<string>`''`]),
  );
}

/** Replaces the watches of an active watcher. Watches that stay keep their `since`. */
export async function watchWhileActive(
  tx: ScopedDb,
  watcherId: string,
  watches: readonly Watch[],
  now: Date,
): Promise<void> {
  const names = watches.map(({ kind, key }) => `${kind} ${key}`);
  await tx.query
    .deleteFrom('subscriber_watches')
    .where('watcher_id', '=', watcherId)
    .where('is_trigger', '=', true)
    .where(sql<boolean>`kind || ' ' || key <> all(${names}::text[])`)
    .execute();
  await insertWatches(tx, { watcherId, isTrigger: true, now }, watches);
}

/** Adds watches that last as long as the watcher exists. */
export function watchAlways(
  tx: ScopedDb,
  watcherId: string,
  watches: readonly Watch[],
  now: Date,
): Promise<void> {
  return insertWatches(tx, { watcherId, isTrigger: false, now }, watches);
}

async function insertWatches(
  tx: ScopedDb,
  { watcherId, isTrigger, now }: { watcherId: string; isTrigger: boolean; now: Date },
  watches: readonly Watch[],
): Promise<void> {
  if (watches.length === 0) return;
  await tx.raw(
    (tenantId) => sql`
    insert into subscriber_watches (tenant_id, kind, key, watcher_id, is_trigger, since)
    select tenant_row.tenant_id, each.kind, each.key, ${watcherId}::uuid, ${isTrigger}::boolean, ${now}::timestamptz
    from json_to_recordset(${JSON.stringify(watches)}::json) as each (kind text, key text) cross join ${tenantRow(tenantId)}
    on conflict do nothing`,
  );
}

/** Deletes all watches of a deleted watcher. */
export async function unwatch(tx: ScopedDb, watcherId: string): Promise<void> {
  await tx.query.deleteFrom('subscriber_watches').where('watcher_id', '=', watcherId).execute();
}

/**
 * Returns a function that finds the active watchers for one of these watches: those of its key and those of any key.
 * With `at`, it returns only watchers that were already active at that time.
 */
export async function findWatchers(
  db: ScopedDb,
  watches: readonly Watch[],
): Promise<(watch: Watch, at?: Date) => readonly string[]> {
  const kinds = [...new Set(watches.map(({ kind }) => kind))];
  const keys = [...new Set(['', ...watches.map(({ key }) => key)])];
  const found = await db.query
    .selectFrom('subscriber_watches')
    .select(['kind', 'key', 'watcher_id', 'since'])
    .where('kind', 'in', kinds)
    .where('key', '=', sql<string>`any(${keys}::text[])`)
    .where('is_trigger', '=', true)
    .execute();
  const watchers = Map.groupBy(found, ({ kind, key }) => `${kind} ${key}`);
  return ({ kind, key }, at) => {
    const own = [key, ''].flatMap((each) => watchers.get(`${kind} ${each}`) ?? []);
    const active = own.filter(({ since }) => at === undefined || new Date(since) <= at);
    return [...new Set(active.map(({ watcher_id }) => watcher_id))];
  };
}

/**
 * SQL that writes signals as part of a larger statement. `rows` is a query of the watched events, with the columns
 * `kind`, `subscriber_id`, `key` and `occurred_at`.
 */
export function writeSignals(tenantId: string, rows: RawBuilder<unknown>, now: Date): RawBuilder<unknown> {
  return sql`
    insert into subscriber_signals (tenant_id, id, target_id, state, due_at, attempts, kind, subscriber_id, key, occurred_at, cause)
    -- The id is a hash: not every database can generate ids here (docs/decisions/0021). Equal events at the same time
    -- are one signal.
    select tenant_row.tenant_id, md5(concat_ws(' ', signal.kind, signal.subscriber_id, signal.key, ${now.toISOString()}::text))::uuid,
      tenant_row.tenant_id, 'pending', 'epoch', 0, signal.kind, signal.subscriber_id, signal.key, signal.occurred_at, ${causeText(tenantId)}::json
    from (${rows}) signal cross join ${tenantRow(tenantId)}
    on conflict do nothing`;
}

/** Writes signals without checking for watches. */
export async function insertSignals(tx: ScopedDb, signals: readonly Signal[], now: Date): Promise<void> {
  if (signals.length === 0) return;
  const rows = signals.map((each) => ({ ...each, id: uuidv7({ msecs: now.getTime() }) }));
  await tx.raw(
    (tenantId) => sql`
    insert into subscriber_signals (tenant_id, id, target_id, state, due_at, attempts, kind, subscriber_id, key, occurred_at, data, cause)
    select tenant_row.tenant_id, each.id, tenant_row.tenant_id, 'pending', 'epoch', 0, each.kind, each."subscriberId",
      each.key, each."occurredAt", each.data, ${causeText(tenantId)}::json
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as each (id uuid, kind text, "subscriberId" uuid, key text, "occurredAt" timestamptz, data json)
    cross join ${tenantRow(tenantId)}`,
  );
}

/**
 * Deletes the signals whose claims are valid and returns their ids. The caller processes them in this
 * transaction.
 */
export async function consumeClaimedSignals(
  tx: ScopedDb,
  claims: readonly Pick<Claim, 'id' | 'claimId'>[],
): Promise<ReadonlySet<string>> {
  const given = claims.map(({ id, claimId }) => ({ id, claim_id: claimId }));
  const { rows } = await tx.raw(
    (tenantId) => sql<{ id: string }>`
    with given as materialized (
      select k.* from json_to_recordset(${JSON.stringify(given)}::json) as k (id uuid, claim_id uuid)
    )
    delete from subscriber_signals s using given k
    where s.tenant_id = ${tenantId}::uuid and s.id = any(${claims.map(({ id }) => id)}::uuid[]) and s.id = k.id
      and s.state = 'pending' and s.claim_id = k.claim_id
    returning s.id`,
    { plan: 'custom' },
  );
  return new Set(rows.map(({ id }) => id));
}

/** A signal that was deleted from the work queue for processing. */
export interface ConsumedSignal {
  readonly kind: WatchedKind;
  readonly subscriber_id: string;
  readonly key: string;
  readonly occurred_at: string;
  readonly data: object | null;
  /** The chain that led to the event. */
  readonly cause: StoredCause | null;
}

/** Deletes up to `limit` due signals and returns them. The caller processes them in this transaction. */
export async function consumeDueSignals(
  tx: ScopedDb,
  limit: number,
  now: Date,
): Promise<readonly ConsumedSignal[]> {
  const { rows } = await tx.raw(
    (tenantId) => sql<ConsumedSignal>`
    with due as materialized (
      select s.id from subscriber_signals s
      where s.tenant_id = ${tenantId}::uuid and s.target_id = ${tenantId}::uuid and s.state = 'pending'
        and s.due_at <= ${now}::timestamptz
      order by s.due_at limit ${limit} for update skip locked
    )
    delete from subscriber_signals s using due d where s.tenant_id = ${tenantId}::uuid and s.id = d.id
    returning s.kind, s.subscriber_id, s.key, s.occurred_at, s.data, s.cause`,
    { plan: 'custom' },
  );
  return rows;
}

/** Deletes the signals of a subscriber. */
export async function deleteSignalsOf(tx: ScopedDb, subscriberId: string): Promise<void> {
  await tx.query.deleteFrom('subscriber_signals').where('subscriber_id', '=', subscriberId).execute();
}
