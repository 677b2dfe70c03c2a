/**
 * Statistics of messages to subscribers, updated when messages change (sql/count-messages.sql) and not computed on
 * read. Opens and clicks by machines are not counted.
 */
import { sql } from 'kysely';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

interface Counts {
  /** Messages that were removed because their recipients must not get them. */
  readonly dropped: number;
  readonly delivered: number;
  readonly bounced: number;
  readonly opened: number;
  readonly clicked: number;
  readonly unsubscribed: number;
  /** Total numbers of opens and clicks. */
  readonly opens: number;
  readonly clicks: number;
}

declare module '../../../db/tables.ts' {
  interface Tables {
    email_sending_counts: { [name in keyof Counts]: number } & {
      tenant_id: string;
      transmission_id: string;
      slot: number;
      campaign_id: string;
      /** Subscribers reached by all sendings of the campaign. */
      reached: number;
    };
    email_campaign_reach: { tenant_id: string; campaign_id: string; subscriber_id: string; messages: number };
  }
}

/** Statistics of a sending. */
export type SendingCounts = Counts;

/** Statistics of a campaign. */
export interface CampaignCounts extends Counts {
  /** Subscribers with a delivered message, each counted once. */
  readonly reached: number;
}

const COUNTED_COLUMNS = [
  'dropped',
  'delivered',
  'bounced',
  'opened',
  'clicked',
  'unsubscribed',
  'opens',
  'clicks',
] as const;

const sumOf = <Name extends (typeof COUNTED_COLUMNS)[number] | 'reached'>(name: Name) =>
  sql<number>`sum(${sql.ref(name)})::int`.as(name);

/** Returns the statistics of sendings by id; a sending without changed messages is missing. */
export async function countSendings(
  db: ScopedDb,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SendingCounts>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query
    .selectFrom('email_sending_counts')
    .where('transmission_id', '=', sql<string>`any(${ids}::uuid[])`)
    .groupBy('transmission_id')
    .select('transmission_id')
    .select(COUNTED_COLUMNS.map(sumOf))
    .execute();
  return new Map(rows.map(({ transmission_id, ...counts }) => [transmission_id, counts]));
}

/** Returns the statistics of campaigns by campaign id; a campaign that has sent nothing is missing. */
export async function countCampaigns(
  db: ScopedDb,
  campaignIds: readonly string[],
): Promise<ReadonlyMap<string, CampaignCounts>> {
  if (campaignIds.length === 0) return new Map();
  const rows = await db.query
    .selectFrom('email_sending_counts')
    .where('campaign_id', '=', sql<string>`any(${campaignIds}::text[])`)
    .groupBy('campaign_id')
    .select('campaign_id')
    .select(COUNTED_COLUMNS.map(sumOf))
    .select(sumOf('reached'))
    .execute();
  return new Map(rows.map(({ campaign_id, ...counts }) => [campaign_id, counts]));
}
