/** What people did because of e-mails, for their figures and records. */
import { sql } from 'kysely';
import type { Moment } from '../../db/tables.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';

/** What came of purchases. */
export interface Purchases {
  /** People with one. */
  readonly people: number;
  readonly count: number;
  readonly amount: number;
}

/** The purchases that these e-mails led to. */
export async function sumPurchases(db: ScopedDb, emailIds: readonly string[]): Promise<Purchases> {
  if (emailIds.length === 0) return { people: 0, count: 0, amount: 0 };
  return db.query
    .selectFrom('marketing_events')
    .where('marketing_email_id', '=', sql<string>`any(${emailIds}::uuid[])`)
    .where('type', '=', 'purchase')
    .select([
      sql<number>`count(distinct subscriber_id)::int`.as('people'),
      sql<number>`count(*)::int`.as('count'),
      sql<number>`coalesce(sum(amount), 0)::float8`.as('amount'),
    ])
    .executeTakeFirstOrThrow();
}

/** What one person did because of one e-mail. */
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

/** Of somebody who did nothing. */
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

/** What these people did because of these e-mails, by `behaviourKey`. */
export async function listBehaviour(
  db: ScopedDb,
  emailIds: readonly string[],
  subscriberIds: readonly string[],
): Promise<ReadonlyMap<string, Behaviour>> {
  if (emailIds.length === 0) return new Map();
  const of = (what: 'page_view' | 'purchase') => sql`filter (where type = ${what})`;
  const rows = await db.query
    .selectFrom('marketing_events')
    .where('marketing_email_id', '=', sql<string>`any(${emailIds}::uuid[])`)
    .where('subscriber_id', '=', sql<string>`any(${subscriberIds}::uuid[])`)
    .groupBy(['marketing_email_id', 'subscriber_id'])
    .select([
      'marketing_email_id',
      'subscriber_id',
      sql<Moment | null>`min(occurred_at) ${of('page_view')}`.as('first_page_view_at'),
      sql<Moment | null>`max(occurred_at) ${of('page_view')}`.as('last_page_view_at'),
      sql<number>`(count(*) ${of('page_view')})::int`.as('page_view_count'),
      sql<number>`coalesce(sum(seconds), 0)::float8`.as('total_engagement_time_seconds'),
      sql<Moment | null>`min(occurred_at) ${of('purchase')}`.as('first_purchase_at'),
      sql<Moment | null>`max(occurred_at) ${of('purchase')}`.as('last_purchase_at'),
      sql<number>`(count(*) ${of('purchase')})::int`.as('purchase_count'),
      sql<number>`coalesce(sum(amount) ${of('purchase')}, 0)::float8`.as('total_purchase_amount'),
    ])
    .execute();
  return new Map(
    rows.map(({ marketing_email_id, subscriber_id, ...behaviour }) => [
      behaviourKey(marketing_email_id ?? '', subscriber_id),
      behaviour,
    ]),
  );
}

/** Names what one person did because of one e-mail. */
export function behaviourKey(emailId: string, subscriberId: string): string {
  return `${emailId} ${subscriberId}`;
}
