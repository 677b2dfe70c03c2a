import { type RawBuilder, sql } from 'kysely';
import type { FilterCondition } from '../../../resources/filter-sql.ts';
import { conditionSql } from '../../../resources/filter-sql.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { tenantRow } from '../../../tenancy/tenant-row.ts';
import { signalQueue } from '../../contacts/api.ts';
import type { EventGroup, EventsQuery } from './schema.ts';
import type { EventType } from './tables.ts';

/** An event to insert. */
export interface NewEvent {
  readonly id: string;
  readonly type: EventType;
  /** A UUID; null if the address identifies the subscriber. */
  readonly subscriber_id: string | null;
  /** Normalized address. */
  readonly address: string | null;
  readonly marketing_email_id: string | null;
  readonly url: string | null;
  readonly amount: number | null;
  readonly seconds: number | null;
  readonly occurred_at: string;
}

/** Locks the subscribers of events, sorted by id, so that none is erased before its events are written. */
async function lockSubscribersOf(tx: ScopedDb, events: readonly NewEvent[]): Promise<void> {
  const ids = events.flatMap(({ subscriber_id: id }) => id ?? []);
  const addresses = events.flatMap(({ address }) => address ?? []);
  await tx.raw(
    (tenantId) => sql`
    select s.id from subscribers s where s.tenant_id = ${tenantId}::uuid and s.id in (
      select by_id.id from subscribers by_id
      where by_id.tenant_id = ${tenantId}::uuid and by_id.id = any(${ids}::uuid[])
      union all
      select by_address.id from subscribers by_address
      where by_address.tenant_id = ${tenantId}::uuid and by_address.address_key = any(${addresses}::text[]))
    order by s.id for key share of s`,
  );
}

/**
 * Writes the events of subscribers that the scope may write, and returns how many. An event that names no email, or one
 * that the scope cannot read, is attributed to the last email that the subscriber clicked in the 30 days before it.
 */
export async function insertEvents(tx: ScopedDb, events: readonly NewEvent[], now: Date): Promise<number> {
  await lockSubscribersOf(tx, events);
  const { write, read } = tx.scope;
  const [writableUnits, readableUnits] = [write === 'all' ? null : write, read === 'all' ? null : read];
  // Not every database can read the watches in the statement that writes the events (docs/decisions/0021).
  const isWatched = await hasWatchers(tx);
  const { rows } = await tx.raw(
    (tenantId) => sql<{ accepted: number; signals: object[] | null }>`
    with events as materialized (
      select * from json_to_recordset(${JSON.stringify(events)}::json) as g (id uuid, type text, subscriber_id uuid,
        address text, marketing_email_id uuid, url text, amount numeric, seconds float8, occurred_at timestamptz)
    ), known as materialized (
      select g.*, s.id as found_subscriber_id, s.owner_bu_id from events g
      cross join lateral (
        -- A union, so that each condition uses its own index.
        select * from (
          select s.id, s.owner_bu_id, s.created_at from subscribers s
          where s.tenant_id = ${tenantId}::uuid and s.id = g.subscriber_id
          union all
          select s.id, s.owner_bu_id, s.created_at from subscribers s
          where s.tenant_id = ${tenantId}::uuid and s.address_key = g.address) each
        where ${writableUnits}::uuid[] is null or owner_bu_id = any(${writableUnits}::uuid[])
        order by created_at, id limit 1) s
    ), attributed as materialized (
      select k.*, coalesce(named.id, clicked.id) as email_id, coalesce(named.campaign_code, clicked.campaign_code) as code
      from known k
      left join lateral (
        select e.id, e.campaign_code from marketing_emails e
        where e.tenant_id = ${tenantId}::uuid and e.id = k.marketing_email_id
          and (${readableUnits}::uuid[] is null or e.owner_bu_id = any(${readableUnits}::uuid[]))) named on true
      left join lateral (
        select e.id, e.campaign_code from email_messages m
        join marketing_emails e on e.tenant_id = ${tenantId}::uuid and e.job_id = m.transmission_id
        cross join lateral (
          select max(c.occurred_at) as at from email_message_events c
          where c.tenant_id = ${tenantId}::uuid and c.message_id = m.id and c.type = 'click' and c.machine_reason is null
            and c.occurred_at between k.occurred_at - interval '30 days' and k.occurred_at) last
        where m.tenant_id = ${tenantId}::uuid and m.subscriber_id = k.found_subscriber_id
          and m.clicked_at <= k.occurred_at and last.at is not null
        order by last.at desc limit 1) clicked on named.id is null
    ), written as (
      insert into marketing_events (tenant_id, id, owner_bu_id, type, subscriber_id, marketing_email_id, campaign_code,
        url, amount, seconds, occurred_at)
      select tenant_row.tenant_id, a.id, a.owner_bu_id, a.type, a.found_subscriber_id, a.email_id, a.code, a.url, a.amount,
        a.seconds, a.occurred_at
      from attributed a cross join ${tenantRow(tenantId)}
      returning 1
    ), summed as (${sumBehaviour(tenantId)}
    )
    select (select count(*)::int from written) as accepted, case when ${isWatched}::boolean then (
      select json_agg(json_build_object('tenant_id', ${tenantId}::uuid, 'subscriber_id', a.found_subscriber_id, 'kind', a.type,
        'occurred_at', a.occurred_at, 'marketing_email_id', a.email_id, 'url', a.url, 'amount', a.amount))
      from attributed a where a.type in ('page_view', 'purchase')) end as signals`,
  );
  const { accepted = 0, signals = null } = rows[0] ?? {};
  // Notifies journeys.
  if (signals !== null)
    await tx.raw(
      (tenantId) =>
        sql`select tessera_signal_events(${tenantId}::uuid, ${JSON.stringify(signals)}::jsonb, ${now})`,
    );
  return accepted;
}

/** Returns true if any journey watches the tenant's subscribers. */
async function hasWatchers(tx: ScopedDb): Promise<boolean> {
  const { rows } = await tx.raw(
    (tenantId) =>
      sql<{
        has_watchers: boolean;
      }>`select ${signalQueue.isWatched(tenantId, 'activity', sql`''`)} as has_watchers`,
  );
  return rows[0]?.has_watchers === true;
}

/** SQL that adds the rows of the CTE `attributed` to the sums by email and subscriber. Sorted to avoid deadlocks. */
function sumBehaviour(tenantId: string): RawBuilder<unknown> {
  return sql`
    insert into marketing_behaviour as stored (tenant_id, marketing_email_id, subscriber_id, owner_bu_id, first_page_view_at,
      last_page_view_at, page_view_count, total_engagement_time_seconds, first_purchase_at, last_purchase_at, purchase_count,
      total_purchase_amount)
    select tenant_row.tenant_id, sums.email_id, sums.found_subscriber_id, sums.owner_bu_id, sums.first_view, sums.last_view,
      sums.views, sums.seconds, sums.first_purchase, sums.last_purchase, sums.purchases, sums.amount
    from (
      select email_id, found_subscriber_id, owner_bu_id, coalesce(sum(seconds), 0) as seconds,
        min(occurred_at) filter (where type = 'page_view') as first_view,
        max(occurred_at) filter (where type = 'page_view') as last_view, count(*) filter (where type = 'page_view') as views,
        min(occurred_at) filter (where type = 'purchase') as first_purchase,
        max(occurred_at) filter (where type = 'purchase') as last_purchase, count(*) filter (where type = 'purchase') as purchases,
        coalesce(sum(amount) filter (where type = 'purchase'), 0) as amount
      from attributed where email_id is not null group by email_id, found_subscriber_id, owner_bu_id) sums
    cross join ${tenantRow(tenantId)} order by sums.email_id, sums.found_subscriber_id
    on conflict (tenant_id, marketing_email_id, subscriber_id) do update set
      first_page_view_at = least(stored.first_page_view_at, excluded.first_page_view_at),
      last_page_view_at = greatest(stored.last_page_view_at, excluded.last_page_view_at),
      page_view_count = stored.page_view_count + excluded.page_view_count,
      total_engagement_time_seconds = stored.total_engagement_time_seconds + excluded.total_engagement_time_seconds,
      first_purchase_at = least(stored.first_purchase_at, excluded.first_purchase_at),
      last_purchase_at = greatest(stored.last_purchase_at, excluded.last_purchase_at),
      purchase_count = stored.purchase_count + excluded.purchase_count,
      total_purchase_amount = stored.total_purchase_amount + excluded.total_purchase_amount`;
}

const KEYS: Readonly<Record<EventsQuery['group_by'], RawBuilder<string>>> = {
  day: sql<string>`to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD')`,
  type: sql<string>`type`,
  campaign: sql<string>`coalesce(campaign_code, '')`,
};

/** Counts the events of a time span by group, sorted by key. */
export async function groupEvents(
  db: ScopedDb,
  groupBy: EventsQuery['group_by'],
  conditions: readonly FilterCondition[],
  from: string,
  to: string,
): Promise<EventGroup[]> {
  const key = KEYS[groupBy];
  const inPeriod = db.query
    .selectFrom('marketing_events')
    .where('occurred_at', '>=', from)
    .where('occurred_at', '<=', to);
  const events = conditions.reduce(
    (rows, condition) => rows.where(conditionSql(condition, condition.operands)),
    inPeriod,
  );
  return events
    .select([
      key.as('key'),
      sql<number>`count(*)::int`.as('count'),
      sql<number>`count(distinct subscriber_id)::int`.as('unique_subscribers'),
      sql<number>`coalesce(sum(amount), 0)::float8`.as('amount'),
    ])
    .groupBy(key)
    .orderBy(key)
    .execute();
}

/** Deletes the events and sums of a subscriber. */
export async function deleteEventsOf(tx: ScopedDb, subscriberId: string): Promise<void> {
  await tx.query.deleteFrom('marketing_events').where('subscriber_id', '=', subscriberId).execute();
  await tx.query.deleteFrom('marketing_behaviour').where('subscriber_id', '=', subscriberId).execute();
}
