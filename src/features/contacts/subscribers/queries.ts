import { type RawBuilder, sql } from 'kysely';
import type { Platform } from '../../../platform.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { tenantRow } from '../../../tenancy/tenant-row.ts';
import { erasedHashSql } from '../../email-settings/api.ts';
import { isWatched, writeSignals } from '../subscriber-groups/index.ts';
import type { SubscriberRow } from './resource.ts';
import type { SubscriptionUpdates } from './schema.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    subscriber_counts: { tenant_id: string; owner_bu_id: string; slot: number; subscribers: number };
  }
}

/** Finds the id of the subscriber with a normalized address in a unit, active or not; null if there is none. */
export async function findSubscriberByAddress(
  db: ScopedDb,
  ownerBuId: string,
  addressKey: string,
): Promise<string | null> {
  const found = await db.query
    .selectFrom('subscribers')
    .select('id')
    .where('address_key', '=', addressKey)
    .where('owner_bu_id', '=', ownerBuId)
    .executeTakeFirst();
  return found?.id ?? null;
}

/** Finds the ids of subscribers with these normalized addresses in all units. */
export async function findSubscribersByAddress(
  db: ScopedDb,
  addresses: readonly string[],
): Promise<string[]> {
  const found = await db.query
    .selectFrom('subscribers')
    .select('id')
    .where('address_key', '=', sql<string>`any(${addresses}::text[])`)
    .execute();
  return found.map(({ id }) => id);
}

/**
 * Locks this subscriber and those of other units with the same address until the transaction ends. Returns their ids;
 * empty if the subscriber does not exist.
 */
export async function lockSameAddress(tx: ScopedDb, id: string): Promise<string[]> {
  const { rows } = await tx.raw(
    (tenantId) => sql<{ id: string }>`
    select same.id from subscribers s
    join subscribers same on same.tenant_id = ${tenantId}::uuid and same.address_key = s.address_key
    where s.tenant_id = ${tenantId}::uuid and s.id = ${id}::uuid order by same.id for no key update of same`,
  );
  return rows.map((row) => row.id);
}

/**
 * Writes the choices of a subscriber, with the dates of the last changes. Without a choice, subscribers are subscribed.
 */
export async function writePreferences(
  tx: ScopedDb,
  { id, created_at }: Pick<SubscriberRow, 'id' | 'created_at'>,
  updates: SubscriptionUpdates,
  now: Date,
): Promise<void> {
  if (updates.length === 0) return;
  // The last update of a type wins.
  const latest = [...new Map(updates.map((update) => [update.subscription_type_id, update])).values()];
  await signalSubscribed(tx, id, [...latest], now);
  await tx.raw(
    (tenantId) => sql`
    insert into subscription_preferences as stored
      (tenant_id, subscriber_id, subscription_type_id, subscribed, subscribed_date, unsubscribed_date)
    select tenant_row.tenant_id, ${id}::uuid, each.subscription_type_id, each.subscribe,
      case when each.subscribe then ${now}::timestamptz else ${created_at}::timestamptz end,
      case when each.subscribe then null else ${now}::timestamptz end
    from json_to_recordset(${JSON.stringify(latest)}::json) as each (subscription_type_id text, subscribe boolean)
    cross join ${tenantRow(tenantId)} order by each.subscription_type_id
    on conflict (tenant_id, subscriber_id, subscription_type_id) do update set
      subscribed = excluded.subscribed,
      subscribed_date = case when excluded.subscribed and not stored.subscribed
        then excluded.subscribed_date else stored.subscribed_date end,
      unsubscribed_date = case when excluded.subscribed then null
        else coalesce(stored.unsubscribed_date, excluded.unsubscribed_date) end`,
  );
}

/** Writes signals for newly subscribed types that are watched. */
async function signalSubscribed(
  tx: ScopedDb,
  id: string,
  latest: readonly SubscriptionUpdates[number][],
  now: Date,
): Promise<void> {
  const typeIds = latest.filter(({ subscribe }) => subscribe).map((each) => each.subscription_type_id);
  if (typeIds.length === 0) return;
  await tx.raw((tenantId) =>
    writeSignals(
      tenantId,
      sql`
      select 'subscribed' as kind, ${id}::uuid as subscriber_id, t.id as key, ${now}::timestamptz as occurred_at
      from unnest(${typeIds}::text[]) as t (id)
      where ${isWatched(tenantId, 'subscribed', sql`t.id`)} and not exists (
        select from subscription_preferences p where p.tenant_id = ${tenantId}::uuid and p.subscriber_id = ${id}::uuid
          and p.subscription_type_id = t.id and p.subscribed)`,
      now,
    ),
  );
}

/** Lists the types that subscribers have explicitly subscribed to, with the dates. */
export function listSubscriptions(db: ScopedDb, subscriberIds: readonly string[]) {
  return db.query
    .selectFrom('subscription_preferences')
    .select(['subscriber_id', 'subscription_type_id', 'subscribed_date'])
    .where('subscriber_id', '=', sql<string>`any(${subscriberIds}::uuid[])`)
    .where('subscribed', '=', true)
    .execute();
}

/** Lists the types that a subscriber has unsubscribed from; with `at`, only those of that time. */
export async function listUnsubscribedTypes(
  db: ScopedDb,
  subscriberId: string,
  at: string | null = null,
): Promise<string[]> {
  const all = db.query
    .selectFrom('subscription_preferences')
    .select('subscription_type_id')
    .where('subscriber_id', '=', subscriberId)
    .where('subscribed', '=', false);
  const unsubscribed = await (at === null ? all : all.where('unsubscribed_date', '=', at)).execute();
  return unsubscribed.map((each) => each.subscription_type_id);
}

/** Deletes the choices of a subscriber. */
export async function deletePreferences(tx: ScopedDb, subscriberId: string): Promise<void> {
  await tx.query.deleteFrom('subscription_preferences').where('subscriber_id', '=', subscriberId).execute();
}

/** Finds the normalized addresses that subscribers of any unit have. */
export async function listTakenAddresses(db: ScopedDb, addresses: readonly string[]): Promise<string[]> {
  if (addresses.length === 0) return [];
  const { rows } = await db.raw(
    (tenantId) => sql<{ address_key: string }>`
    select distinct address_key from subscribers
    where tenant_id = ${tenantId}::uuid and address_key = any(${addresses}::text[])`,
  );
  return rows.map(({ address_key }) => address_key);
}

/** Number of members of a group that can receive mail. */
export interface ReachableCount {
  readonly group_id: string;
  readonly subscribers: number;
}

/**
 * Counts the active members of groups that are not permanently suppressed and, with a type, not unsubscribed from it.
 * Reads the counters of groups, and subtracts the members that are excluded.
 */
export async function countReachable(
  platform: Pick<Platform, 'secrets'>,
  db: ScopedDb,
  groupIds: readonly string[],
  subscriptionTypeId: string | null,
): Promise<readonly ReachableCount[]> {
  const erased = await erasedHashSql(platform, db, sql.ref('s.address_key'));
  const { rows } = await db.raw(
    (tenantId) => sql<ReachableCount>`
    with excluded as materialized (
      select s.id from subscription_preferences p
      join subscribers s on s.tenant_id = p.tenant_id and s.id = p.subscriber_id
      where p.tenant_id = ${tenantId}::uuid and p.subscription_type_id = ${subscriptionTypeId}::text and not p.subscribed
        and s.active
      union
      select s.id from email_suppressions e
      join subscribers s on s.tenant_id = e.tenant_id and s.address_key = e.recipient
      where e.tenant_id = ${tenantId}::uuid and e.type in ('bounce', 'complaint') and s.active
      ${erasedMembers(tenantId, groupIds, erased)}
    ), excluded_counts as materialized (
      select m.group_id, count(*) as subscribers from excluded
      join subscriber_group_members m on m.tenant_id = ${tenantId}::uuid and m.subscriber_id = excluded.id
      where m.group_id = any(${groupIds}::uuid[]) group by m.group_id
    )
    select c.group_id, (sum(c.active) - coalesce(max(x.subscribers), 0))::int as subscribers
    from subscriber_group_counts c left join excluded_counts x on x.group_id = c.group_id
    where c.tenant_id = ${tenantId}::uuid and c.group_id = any(${groupIds}::uuid[]) group by c.group_id`,
  );
  return rows;
}

/**
 * SQL that adds members with a suppressed address that was erased and is stored only as a hash; it checks each member.
 */
function erasedMembers(tenantId: string, groupIds: readonly string[], erased: RawBuilder<string> | null) {
  if (erased === null) return sql``;
  return sql`
      union
      select s.id from subscriber_group_members m
      join subscribers s on s.tenant_id = m.tenant_id and s.id = m.subscriber_id
      join email_suppressions e on e.tenant_id = m.tenant_id and e.recipient = ${erased}
      where m.tenant_id = ${tenantId}::uuid and m.group_id = any(${groupIds}::uuid[]) and s.active
        and e.type in ('bounce', 'complaint')`;
}

/** Returns the names and addresses of subscribers, the newest first. */
export function listSample(db: ScopedDb, ids: readonly string[]) {
  return db.query
    .selectFrom('subscribers')
    .select(['id', 'first_name', sql<string>`coalesce(last_name, '')`.as('last_name'), 'email'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id', 'desc')
    .execute();
}
