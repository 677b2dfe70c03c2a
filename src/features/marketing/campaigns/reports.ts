/** Exports of campaigns and of their emails, each with its figures (docs/specification/reports.md#export). */

import { sql } from 'kysely';
import { DATE_BOUNDS } from '../../../reports/plain-filters.ts';
import type { Report, ReportFilters, ReportRow } from '../../../reports/report.ts';
import type { FilterField } from '../../../resources/filter-field.ts';
import { readFilters } from '../../../resources/filters.ts';
import { recordPages } from '../../../resources/record-pages.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { sendingFigures } from '../../mail/api.ts';
import { emails } from './emails/resource.ts';
import { NO_FIGURES, ratesOf, sumFigures } from './figures/metrics.ts';
import { campaigns } from './resource.ts';
import { CampaignMetrics } from './schema.ts';

const CAMPAIGN_METRICS = Object.keys(CampaignMetrics.properties);
const EMAIL_METRICS = [
  ...(['delivered', 'opened', 'clicked', 'unsubscribed', 'bounced'] as const),
  ...(['open_rate', 'click_rate', 'unsubscribe_rate', 'bounce_rate'] as const),
];

/** Export of campaigns with their figures. */
export const campaignReport: Report = {
  type: 'campaigns',
  date: { field: 'start_date', type: 'date' },
  async check(_db, filters) {
    readFilters(campaigns.filters, filters, { otherFields: DATE_BOUNDS });
  },
  async read(db, filters) {
    const columns = namesOf(campaigns.listReply);
    return {
      columns: [...columns, ...CAMPAIGN_METRICS.map((name) => `metrics.${name}`)],
      pages: campaignRows(db, filters, columns),
    };
  },
};

/** Export of emails with their figures and rates. */
export const emailReport: Report = {
  type: 'marketing_email_details',
  date: { field: 'sent_date', type: 'time' },
  async check(_db, filters) {
    const definition = { operations: emails.filters.operations, fields: EMAIL_FILTERS };
    readFilters(definition, filters, { otherFields: DATE_BOUNDS });
  },
  async read(db, filters) {
    const columns = namesOf(emails.listReply);
    return {
      columns: [...columns, ...EMAIL_METRICS.map((name) => `metrics.${name}`)],
      pages: emailRows(db, filters, columns),
    };
  },
};

const EMAIL_FILTERS: Readonly<Record<string, FilterField>> = {
  campaign_code: { type: 'text', sql: (compare) => compare(sql.ref('campaign_code')) },
  marketing_email_id: { type: 'id', sql: (compare) => compare(sql.ref('id')) },
  sent_date: { type: 'time', sql: (compare) => compare(sql.ref('sent_date')) },
};

async function* campaignRows(
  db: ScopedDb,
  filters: ReportFilters,
  columns: readonly string[],
): AsyncGenerator<readonly ReportRow[]> {
  for await (const rows of recordPages(db, campaigns, { filters })) {
    const figures = await sumFigures(db, rows);
    yield rows.map((row) => [
      ...valuesOf(campaigns.listView(row), columns),
      ...valuesOf(figures.get(row.code) ?? {}, CAMPAIGN_METRICS),
    ]);
  }
}

async function* emailRows(
  db: ScopedDb,
  filters: ReportFilters,
  columns: readonly string[],
): AsyncGenerator<readonly ReportRow[]> {
  for await (const rows of recordPages(db, emails, { filters, fields: EMAIL_FILTERS })) {
    const figures = await sendingFigures.countSendings(
      db,
      rows.map(({ job_id }) => job_id),
    );
    yield rows.map((row) => {
      const own = figures.get(row.job_id) ?? NO_FIGURES;
      return [
        ...valuesOf(emails.listView(row), columns),
        ...valuesOf({ ...own, ...ratesOf(own) }, EMAIL_METRICS),
      ];
    });
  }
}

function namesOf(schema: object): string[] {
  return 'properties' in schema ? Object.keys(Object(schema.properties)) : [];
}

function valuesOf(record: object, names: readonly string[]): unknown[] {
  return names.map((name) => Reflect.get(record, name));
}
