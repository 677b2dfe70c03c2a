/**
 * What became of messages to people, counted when they change (sql/count-messages.sql) and not when it is asked for. Machines
 * are left out.
 */
import { sql } from 'kysely';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';

interface Counts {
  /** Messages that went again, as nobody was to be sent them any more. */
  readonly dropped: number;
  readonly delivered: number;
  readonly bounced: number;
  readonly opened: number;
  readonly clicked: number;
  readonly unsubscribed: number;
  /** How often people opened and clicked. */
  readonly opens: number;
  readonly clicks: number;
}

declare module '../../db/tables.ts' {
  interface Tables {
    email_sending_counts: { [name in keyof Counts]: number } & {
      tenant_id: string;
      transmission_id: string;
      slot: number;
      campaign_id: string;
      /** Of all sendings of the campaign together. */
      reached: number;
    };
    email_campaign_reach: { tenant_id: string; campaign_id: string; subscriber_id: string; messages: number };
  }
}

/** What became of a sending's messages. */
export type SendingCounts = Counts;

/** What became of the messages of a campaign. */
export interface CampaignCounts extends Counts {
  /** People with a delivered message, each once. */
  readonly reached: number;
}

const COUNTED = [
  ...(['dropped', 'delivered', 'bounced', 'opened', 'clicked', 'unsubscribed', 'opens', 'clicks'] as const),
] as const;

const sumOf = <Name extends (typeof COUNTED)[number] | 'reached'>(name: Name) =>
  sql<number>`sum(${sql.ref(name)})::int`.as(name);

/** The figures of these sendings, by id; of one of which no message has changed nothing is told. */
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
    .select(COUNTED.map(sumOf))
    .execute();
  return new Map(rows.map(({ transmission_id, ...counts }) => [transmission_id, counts]));
}

/** The figures of campaigns, by what their sendings name them; of one that has sent nothing nothing is told. */
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
    .select(COUNTED.map(sumOf))
    .select(sumOf('reached'))
    .execute();
  return new Map(rows.map(({ campaign_id, ...counts }) => [campaign_id, counts]));
}
