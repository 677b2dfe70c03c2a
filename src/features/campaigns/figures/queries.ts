import { sql } from 'kysely';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

const COLUMNS = ['id', 'campaign_code', 'job_id', 'subject', 'sent_date', 'subscription_type_id'] as const;

/** The e-mails of a campaign, or those of these sendings. */
export function findSentEmails(
  db: ScopedDb,
  by: { readonly campaignCode: string } | { readonly jobIds: readonly string[] },
) {
  const all = db.query.selectFrom('marketing_emails').select(COLUMNS);
  if ('campaignCode' in by) return all.where('campaign_code', '=', by.campaignCode).execute();
  return all.where('job_id', '=', sql<string>`any(${by.jobIds}::uuid[])`).execute();
}

/** An e-mail as figures know it. */
export type SentEmail = Awaited<ReturnType<typeof findSentEmails>>[number];
