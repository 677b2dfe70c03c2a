import type { MemberContext } from '../../../../http/context.ts';
import { getRecord } from '../../../../resources/records.ts';
import { messageEngagement, sendingFigures } from '../../../mail/api.ts';
import { NO_PURCHASES, type Purchases, sumPurchases } from '../../marketing-events/index.ts';
import { findEmail } from '../emails/service.ts';
import { campaigns } from '../resource.ts';
import { NO_FIGURES, ratesOf, share } from './metrics.ts';
import { findEmails } from './queries.ts';
import { METRIC_QUERIES, type MetricFigures, type MetricQueryName } from './schema.ts';

/** Answers a metric query about an email. @throws AppError as `findEmail`. */
export async function runMetricQuery(
  ctx: MemberContext,
  code: string,
  id: string,
  name: MetricQueryName,
): Promise<{ queryName: string; result: Record<string, number | string> }> {
  const { email } = await findEmail(ctx, code, id);
  const { db, now } = ctx;
  const figures = (await sendingFigures.countSendings(db, [email.job_id])).get(email.job_id) ?? NO_FIGURES;
  const event = METRIC_QUERIES[name];
  const purchases = event === 'conversion' ? await sumPurchases(db, new Map([[id, id]])) : null;
  const { unique, total, base } = countsOf(event, figures, purchases?.get(id) ?? NO_PURCHASES);
  return {
    queryName: name,
    result: {
      [`${event}_rate`]: share(unique, base),
      [`unique_${event}s`]: unique,
      [`total_${event}s`]: total,
      delivered: figures.delivered,
      calculation_time: now.toISOString(),
    },
  };
}

/** Returns the number of distinct recipients, the number of events, and the base of the rate. */
function countsOf(
  event: (typeof METRIC_QUERIES)[MetricQueryName],
  {
    delivered,
    opened,
    clicked,
    unsubscribed,
    bounced,
    opens,
    clicks,
  }: Omit<sendingFigures.SendingCounts, 'dropped'>,
  { subscribers, count }: Purchases,
): { unique: number; total: number; base: number } {
  switch (event) {
    case 'open':
      return { unique: opened, total: opens, base: delivered };
    case 'click':
      return { unique: clicked, total: clicks, base: delivered };
    case 'unsubscribe':
      return { unique: unsubscribed, total: unsubscribed, base: delivered };
    case 'bounce':
      return { unique: bounced, total: bounced, base: delivered + bounced };
    case 'conversion':
      return { unique: subscribers, total: count, base: delivered };
  }
}

/** Returns figures of several emails and ignores those of other campaigns. @throws AppError CAMPAIGN_NOT_FOUND. */
export async function listMetrics(
  { db }: MemberContext,
  code: string,
  ids: readonly string[],
): Promise<{ metricsByEmailId: Record<string, MetricFigures> }> {
  await getRecord(db, campaigns, code);
  const selected = new Set(ids);
  const found = (await findEmails(db, { campaignCode: code })).filter(({ id }) => selected.has(id));
  const figures = await sendingFigures.countSendings(
    db,
    found.map(({ job_id }) => job_id),
  );
  return {
    metricsByEmailId: Object.fromEntries(
      found.map(({ id, job_id }) => {
        const counts = figures.get(job_id) ?? NO_FIGURES;
        const { delivered, opened, clicked, unsubscribed, bounced } = counts;
        return [id, { delivered, opened, clicked, unsubscribed, bounced, ...ratesOf(counts) }];
      }),
    ),
  };
}

/** Clicked links of an email, with totals. */
export interface LinkFigures {
  readonly links: (Omit<messageEngagement.SendingLink, 'first_click' | 'last_click'> & {
    readonly first_click: string;
    readonly last_click: string;
    readonly click_rate: number;
  })[];
  readonly total_clicks: number;
  readonly total_unique_clicks: number;
}

/** Lists the clicked links of an email. @throws AppError as `findEmail`. */
export async function listClickedLinks(ctx: MemberContext, code: string, id: string): Promise<LinkFigures> {
  const { email } = await findEmail(ctx, code, id);
  const figures =
    (await sendingFigures.countSendings(ctx.db, [email.job_id])).get(email.job_id) ?? NO_FIGURES;
  const { links, clicks } = await messageEngagement.listSendingLinks(ctx.db, email.job_id);
  return {
    links: links.map((link) => ({
      ...link,
      first_click: new Date(link.first_click).toISOString(),
      last_click: new Date(link.last_click).toISOString(),
      click_rate: share(link.unique_clicks, figures.delivered),
    })),
    total_clicks: clicks,
    total_unique_clicks: figures.clicked,
  };
}
