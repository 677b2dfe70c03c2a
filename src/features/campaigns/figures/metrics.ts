/** Figures of e-mails and campaigns (docs/specification/campaigns.md#figures). */
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { sumPurchases } from '../../marketing-events/index.ts';
import { countReached, countSendings, type SendingCounts } from '../../transmissions/index.ts';
import type { CampaignMetrics } from '../schema.ts';

/** What an e-mail came to: people, machines left out. */
export interface EmailFigures {
  readonly delivered: number;
  readonly opened: number;
  readonly clicked: number;
  readonly unsubscribed: number;
  readonly bounced: number;
}

/** Shares, 0 to 1. */
export interface Rates {
  readonly open_rate: number;
  readonly click_rate: number;
  readonly unsubscribe_rate: number;
  readonly bounce_rate: number;
}

/** Of an e-mail that nobody was sent. */
export const NO_FIGURES: EmailFigures = { delivered: 0, opened: 0, clicked: 0, unsubscribed: 0, bounced: 0 };

/** The rates that follow; 0 where nothing was delivered or sent. */
export function ratesOf({ delivered, opened, clicked, unsubscribed, bounced }: EmailFigures): Rates {
  return {
    open_rate: share(opened, delivered),
    click_rate: share(clicked, delivered),
    unsubscribe_rate: share(unsubscribed, delivered),
    bounce_rate: share(bounced, delivered + bounced),
  };
}

/** A part of a whole; 0 of nothing. */
export function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/** What all e-mails of a campaign came to. */
export async function sumFigures(db: ScopedDb, code: string): Promise<CampaignMetrics> {
  const rows = await db.query
    .selectFrom('marketing_emails')
    .select(['id', 'job_id'])
    .where('campaign_code', '=', code)
    .execute();
  const jobIds = rows.map(({ job_id }) => job_id);
  const figures = [...(await countSendings(db, jobIds)).values()];
  const sum = (of: (each: SendingCounts) => number) => figures.reduce((total, each) => total + of(each), 0);
  const delivered = sum((each) => each.delivered);
  const bought = await sumPurchases(
    db,
    rows.map(({ id }) => id),
  );
  return {
    total_emails_sent: delivered + sum((each) => each.bounced),
    total_subscribers_reached: await countReached(db, jobIds),
    average_open_rate: share(
      sum((each) => each.opened),
      delivered,
    ),
    average_click_rate: share(
      sum((each) => each.clicked),
      delivered,
    ),
    total_conversions: bought.people,
    revenue_generated: bought.amount,
  };
}
