/**
 * What happens to people and somebody wants to know: signals are written by the statements that cause them, where they are
 * watched, and worked soon after by whoever watches (a feature that imports this one). What is not watched costs a look.
 */
import { expressionBuilder, type RawBuilder, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { plannedAnew } from '../../db/planned-anew.ts';
import type { Tables } from '../../db/tables.ts';
import { causeText, type StoredCause } from '../../flows/chain.ts';
import type { Claim, LedgerRow } from '../../ledger/ledger.ts';
import type { JsonColumn } from '../../resources/field-types.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { homeIn } from '../../tenancy/tenant-home.ts';

/** What can be watched. */
export type WatchedKind =
  /** Somebody joined a list, came into an audience, subscribed to a type: the key is its id. */
  | 'list_joined'
  | 'audience_entered'
  | 'subscribed'
  /** Somebody was made active or inactive. */
  | 'activity'
  /** A submission of a form, which the key names; the form's submissions are looked at by the feature that stores them. */
  | 'form_submission'
  | 'form_awaited'
  /** What people do with mail and on sites. */
  | 'open'
  | 'click'
  | 'page_view'
  | 'purchase';

declare module '../../db/tables.ts' {
  interface Tables {
    subscriber_watches: {
      tenant_id: string;
      kind: WatchedKind;
      key: string;
      watcher_id: string;
      is_trigger: boolean;
      /** Kept as long as it is watched without a break. */
      since: Time;
    };
    subscriber_signals: LedgerRow & {
      kind: WatchedKind;
      subscriber_id: string;
      key: string;
      occurred_at: Time;
      data: JsonColumn<object> | null;
      cause: JsonColumn<StoredCause> | null;
    };
  }
}

/** The ledger of signals, and its table. */
export const SUBSCRIBER_SIGNALS = { name: 'subscriber-signals', table: 'subscriber_signals' };

/** Something to watch. */
export interface Watch {
  readonly kind: WatchedKind;
  /** Empty: any. */
  readonly key: string;
}

/** Something that has happened to somebody. */
export interface Signal extends Watch {
  readonly subscriberId: string;
  readonly occurredAt: Date;
  readonly data?: object;
}

/** SQL: whether something is watched, by a key or whatever the key is; with `at`, and was at that moment. */
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

/** The same of any of these kinds, for a query that reads the key from a row. */
export function watchedAs(kinds: readonly WatchedKind[], key: RawBuilder<string>) {
  const eb = expressionBuilder<Tables, never>();
  return eb.exists(
    eb
      .selectFrom('subscriber_watches as watch')
      .select('watch.key')
      .where('watch.kind', 'in', kinds)
      .where('watch.key', 'in', [key, sql<string>`''`]),
  );
}

/** Says what somebody watches while it is active, instead of what it watched so before. What stays was watched all the time. */
export async function watchWhileActive(
  tx: ScopedDb,
  watcherId: string,
  watches: readonly Watch[],
  now: Date,
): Promise<void> {
  const kept = watches.map(({ kind, key }) => `${kind} ${key}`);
  await tx.query
    .deleteFrom('subscriber_watches')
    .where('watcher_id', '=', watcherId)
    .where('is_trigger', '=', true)
    .where(sql<boolean>`kind || ' ' || key <> all(${kept}::text[])`)
    .execute();
  await watch(tx, { watcherId, isTrigger: true, now }, watches);
}

/** Says what somebody watches as long as it is there, beside what it watches already. */
export function watchAlways(
  tx: ScopedDb,
  watcherId: string,
  watches: readonly Watch[],
  now: Date,
): Promise<void> {
  return watch(tx, { watcherId, isTrigger: false, now }, watches);
}

async function watch(
  tx: ScopedDb,
  { watcherId, isTrigger, now }: { watcherId: string; isTrigger: boolean; now: Date },
  watches: readonly Watch[],
): Promise<void> {
  if (watches.length === 0) return;
  await tx.raw(
    (tenantId) => sql`
    insert into subscriber_watches (tenant_id, kind, key, watcher_id, is_trigger, since)
    select home.tenant_id, each.kind, each.key, ${watcherId}::uuid, ${isTrigger}::boolean, ${now}::timestamptz
    from json_to_recordset(${JSON.stringify(watches)}::json) as each (kind text, key text) cross join ${homeIn(tenantId)}
    on conflict do nothing`,
  );
}

/** Nobody is told any more: the watcher is gone. */
export async function unwatch(tx: ScopedDb, watcherId: string): Promise<void> {
  await tx.query.deleteFrom('subscriber_watches').where('watcher_id', '=', watcherId).execute();
}

/** Who watches, while active, each of these by its key, or whatever the key is; with `at`, and did at that moment. */
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
    const then = own.filter(({ since }) => at === undefined || new Date(since) <= at);
    return [...new Set(then.map(({ watcher_id }) => watcher_id))];
  };
}

/**
 * SQL that writes signals, for a statement that does more: `rows` is a query of `kind`, `subscriber_id`, `key` and
 * `occurred_at` of what is watched.
 */
export function writeSignals(tenantId: string, rows: RawBuilder<unknown>, now: Date): RawBuilder<unknown> {
  return sql`
    insert into subscriber_signals (tenant_id, id, target_id, state, due_at, attempts, kind, subscriber_id, key, occurred_at, cause)
    -- By what it tells, as a cluster makes no ids of rows that it moves: the same at the same moment is one signal.
    select home.tenant_id, md5(concat_ws(' ', signal.kind, signal.subscriber_id, signal.key, ${now.toISOString()}::text))::uuid,
      home.tenant_id, 'pending', 'epoch', 0, signal.kind, signal.subscriber_id, signal.key, signal.occurred_at, ${causeText(tenantId)}::json
    from (${rows}) signal cross join ${homeIn(tenantId)}
    on conflict do nothing`;
}

/** Writes signals, whether watched or not. */
export async function signal(tx: ScopedDb, signals: readonly Signal[], now: Date): Promise<void> {
  if (signals.length === 0) return;
  const rows = signals.map((each) => ({ ...each, id: uuidv7({ msecs: now.getTime() }) }));
  await tx.raw(
    (tenantId) => sql`
    insert into subscriber_signals (tenant_id, id, target_id, state, due_at, attempts, kind, subscriber_id, key, occurred_at, data, cause)
    select home.tenant_id, each.id, home.tenant_id, 'pending', 'epoch', 0, each.kind, each."subscriberId",
      each.key, each."occurredAt", each.data, ${causeText(tenantId)}::json
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as each (id uuid, kind text, "subscriberId" uuid, key text, "occurredAt" timestamptz, data json)
    cross join ${homeIn(tenantId)}`,
  );
}

/** Takes the signals whose leases still hold; returns their ids. Whoever takes them deals with them in this transaction. */
export async function takeClaimed(
  tx: ScopedDb,
  claims: readonly Pick<Claim, 'id' | 'leasedUntil'>[],
): Promise<ReadonlySet<string>> {
  const leases = claims.map(({ id, leasedUntil }) => ({ id, leased_until: leasedUntil }));
  const { rows } = await tx.raw(
    (tenantId) => sql<{ id: string }>`${plannedAnew}
    with leases as materialized (
      select k.* from json_to_recordset(${JSON.stringify(leases)}::json) as k (id uuid, leased_until timestamptz)
    )
    delete from subscriber_signals s using leases k
    where s.tenant_id = ${tenantId}::uuid and s.id = any(${claims.map(({ id }) => id)}::uuid[]) and s.id = k.id
      and s.state = 'pending' and s.due_at = k.leased_until
    returning s.id`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** A signal that was taken, as it was written. */
export interface TakenSignal {
  readonly kind: WatchedKind;
  readonly subscriber_id: string;
  readonly key: string;
  readonly occurred_at: string;
  readonly data: object | null;
  /** What led to it. */
  readonly cause: StoredCause | null;
}

/** Takes up to so many signals that are due and that nobody else takes. Whoever takes them deals with them in this transaction. */
export async function takeDue(tx: ScopedDb, limit: number, now: Date): Promise<readonly TakenSignal[]> {
  const { rows } = await tx.raw(
    (tenantId) => sql<TakenSignal>`${plannedAnew}
    with due as materialized (
      select s.id from subscriber_signals s
      where s.tenant_id = ${tenantId}::uuid and s.target_id = ${tenantId}::uuid and s.state = 'pending'
        and s.due_at <= ${now}::timestamptz
      order by s.due_at limit ${limit} for update skip locked
    )
    delete from subscriber_signals s using due d where s.tenant_id = ${tenantId}::uuid and s.id = d.id
    returning s.kind, s.subscriber_id, s.key, s.occurred_at, s.data, s.cause`,
  );
  return rows;
}

/** Forgets what was signalled of somebody. */
export async function forgetSignalsOf(tx: ScopedDb, subscriberId: string): Promise<void> {
  await tx.query.deleteFrom('subscriber_signals').where('subscriber_id', '=', subscriberId).execute();
}
