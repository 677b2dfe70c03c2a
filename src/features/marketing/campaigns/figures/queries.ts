import { sql } from 'kysely';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';

const COLUMNS = ['id', 'campaign_code', 'job_id', 'subject', 'sent_date', 'subscription_type_id'] as const;

/** Finds the emails of a campaign, or those of sendings. Includes emails that were not sent. */
export function findEmails(
  db: ScopedDb,
  by: { readonly campaignCode: string } | { readonly jobIds: readonly string[] },
) {
  const all = db.query.selectFrom('marketing_emails').select(COLUMNS);
  if ('campaignCode' in by) return all.where('campaign_code', '=', by.campaignCode).execute();
  return all.where('job_id', '=', sql<string>`any(${by.jobIds}::uuid[])`).execute();
}

/** Returns the number of written messages of sendings. */
export async function sumRecipients(db: ScopedDb, jobIds: readonly string[]): Promise<number> {
  const { recipients } = await db.query
    .selectFrom('marketing_email_sending_jobs')
    .select(sql<number>`coalesce(sum(recipients), 0)::int`.as('recipients'))
    .where('id', '=', sql<string>`any(${jobIds}::uuid[])`)
    .executeTakeFirstOrThrow();
  return recipients;
}

/** Maps the id of each email of these campaigns to its campaign's code. */
export async function findEmailCodes(
  db: ScopedDb,
  codes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query
    .selectFrom('marketing_emails')
    .select(['id', 'campaign_code'])
    .where('campaign_code', '=', sql<string>`any(${codes}::text[])`)
    .execute();
  return new Map(rows.map(({ id, campaign_code }) => [id, campaign_code]));
}

/** Columns of an email that figures and engagement records use. */
export type EngagementEmail = Awaited<ReturnType<typeof findEmails>>[number];
