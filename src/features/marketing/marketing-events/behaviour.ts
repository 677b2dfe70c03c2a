/** Page views and purchases by email and subscriber, for figures and engagement records. */
import { sql } from 'kysely';
import type { Moment } from '../../../db/tables.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

/** Totals of purchases. */
export interface Purchases {
  /** Number of distinct subscribers. */
  readonly subscribers: number;
  readonly count: number;
  readonly amount: number;
}

/** Totals without any purchase. */
export const NO_PURCHASES: Purchases = { subscribers: 0, count: 0, amount: 0 };

/** Sums the purchases of emails by group; `groups` maps email ids to groups. A subscriber counts once in a group. */
export async function sumPurchases(
  db: ScopedDb,
  groups: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, Purchases>> {
  if (groups.size === 0) return new Map();
  const groupOf = sql<string>`${JSON.stringify(Object.fromEntries(groups))}::jsonb ->> marketing_email_id::text`;
  const rows = await db.query
    .selectFrom('marketing_behaviour')
    .where('marketing_email_id', '=', sql<string>`any(${[...groups.keys()]}::uuid[])`)
    .where('purchase_count', '>', sql.lit(0))
    .groupBy(sql.ref('group'))
    .select([
      groupOf.as('group'),
      sql<number>`count(distinct subscriber_id)::int`.as('subscribers'),
      sql<number>`sum(purchase_count)::int`.as('count'),
      sql<number>`sum(total_purchase_amount)::float8`.as('amount'),
    ])
    .execute();
  return new Map(rows.map(({ group, ...purchases }) => [group, purchases]));
}

/** Behaviour of one subscriber after one email. */
export interface Behaviour {
  readonly first_page_view_at: Moment | null;
  readonly last_page_view_at: Moment | null;
  readonly page_view_count: number;
  readonly total_engagement_time_seconds: number;
  readonly first_purchase_at: Moment | null;
  readonly last_purchase_at: Moment | null;
  readonly purchase_count: number;
  readonly total_purchase_amount: number;
}

/** Behaviour without any event. */
export const NO_BEHAVIOUR: Behaviour = {
  first_page_view_at: null,
  last_page_view_at: null,
  page_view_count: 0,
  total_engagement_time_seconds: 0,
  first_purchase_at: null,
  last_purchase_at: null,
  purchase_count: 0,
  total_purchase_amount: 0,
};

/** Returns the behaviour of subscribers after emails, by `behaviourKey`. */
export async function listBehaviour(
  db: ScopedDb,
  emailIds: readonly string[],
  subscriberIds: readonly string[],
): Promise<ReadonlyMap<string, Behaviour>> {
  if (emailIds.length === 0) return new Map();
  const rows = await db.query
    .selectFrom('marketing_behaviour')
    .where('marketing_email_id', '=', sql<string>`any(${emailIds}::uuid[])`)
    .where('subscriber_id', '=', sql<string>`any(${subscriberIds}::uuid[])`)
    .select([
      'marketing_email_id',
      'subscriber_id',
      'first_page_view_at',
      'last_page_view_at',
      'page_view_count',
    ])
    .select(['total_engagement_time_seconds', 'first_purchase_at', 'last_purchase_at', 'purchase_count'])
    .select(sql<number>`total_purchase_amount::float8`.as('total_purchase_amount'))
    .execute();
  return new Map(
    rows.map(({ marketing_email_id, subscriber_id, ...behaviour }) => [
      behaviourKey(marketing_email_id, subscriber_id),
      behaviour,
    ]),
  );
}

/** Returns the key of a subscriber's behaviour after an email. */
export function behaviourKey(emailId: string, subscriberId: string): string {
  return `${emailId} ${subscriberId}`;
}
