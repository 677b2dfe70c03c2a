/** Figures of emails and campaigns (docs/specification/campaigns.md#figures). */
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import { sendingFigures } from '../../../mail/api.ts';
import { NO_PURCHASES, type Purchases, sumPurchases } from '../../marketing-events/index.ts';
import type { CampaignRow } from '../resource.ts';
import type { CampaignMetrics } from '../schema.ts';
import { findEmailCodes } from './queries.ts';

/** Numbers of recipients of an email, by event. Events of bots do not count. */
export interface EmailFigures {
  readonly delivered: number;
  readonly opened: number;
  readonly clicked: number;
  readonly unsubscribed: number;
  readonly bounced: number;
}

/** Rates from 0 to 1. */
export interface Rates {
  readonly open_rate: number;
  readonly click_rate: number;
  readonly unsubscribe_rate: number;
  readonly bounce_rate: number;
}

/** Figures of an email without messages. */
export const NO_FIGURES: EmailFigures & Pick<sendingFigures.SendingCounts, 'opens' | 'clicks'> = {
  delivered: 0,
  opened: 0,
  clicked: 0,
  unsubscribed: 0,
  bounced: 0,
  opens: 0,
  clicks: 0,
};

/** Calculates rates; 0 if nothing was delivered or sent. */
export function ratesOf({ delivered, opened, clicked, unsubscribed, bounced }: EmailFigures): Rates {
  return {
    open_rate: share(opened, delivered),
    click_rate: share(clicked, delivered),
    unsubscribe_rate: share(unsubscribed, delivered),
    bounce_rate: share(bounced, delivered + bounced),
  };
}

/** Returns `part / whole`; 0 if the whole is 0. */
export function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/** Returns the figures of campaigns, by code. */
export async function sumFigures(
  db: ScopedDb,
  campaigns: readonly Pick<CampaignRow, 'id' | 'code'>[],
): Promise<ReadonlyMap<string, CampaignMetrics>> {
  const codes = campaigns.map(({ code }) => code);
  const counts = await sendingFigures.countCampaigns(
    db,
    campaigns.map(({ id }) => id),
  );
  const purchases = await sumPurchases(db, await findEmailCodes(db, codes));
  return new Map(
    campaigns.map(({ id, code }) => [
      code,
      toMetrics(counts.get(id) ?? NO_COUNTS, purchases.get(code) ?? NO_PURCHASES),
    ]),
  );
}

/** Returns the figures of a campaign. */
export async function metricsOf(
  db: ScopedDb,
  campaign: Pick<CampaignRow, 'id' | 'code'>,
): Promise<CampaignMetrics> {
  const figures = await sumFigures(db, [campaign]);
  return figures.get(campaign.code) ?? toMetrics(NO_COUNTS, NO_PURCHASES);
}

const NO_COUNTS = { ...NO_FIGURES, reached: 0 };

function toMetrics(
  {
    delivered,
    bounced,
    opened,
    clicked,
    reached,
  }: EmailFigures & Pick<sendingFigures.CampaignCounts, 'reached'>,
  { subscribers, amount }: Purchases,
): CampaignMetrics {
  return {
    total_emails_sent: delivered + bounced,
    total_subscribers_reached: reached,
    average_open_rate: share(opened, delivered),
    average_click_rate: share(clicked, delivered),
    total_conversions: subscribers,
    revenue_generated: amount,
  };
}
