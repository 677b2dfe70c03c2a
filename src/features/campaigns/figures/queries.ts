import { sql } from 'kysely';
import { NIL } from 'uuid';
import { isUuid } from '../../../resources/keys.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

const COLUMNS = ['id', 'campaign_code', 'job_id', 'subject', 'sent_date', 'subscription_type_id'] as const;

/** The e-mails of a campaign, those of these sendings, or the one with this id. */
export function findSentEmails(
  db: ScopedDb,
  by:
    | { readonly campaignCode: string }
    | { readonly jobIds: readonly string[] }
    | { readonly emailId: string },
) {
  const all = db.query.selectFrom('marketing_emails').select(COLUMNS);
  if ('campaignCode' in by) return all.where('campaign_code', '=', by.campaignCode).execute();
  if ('emailId' in by) return all.where('id', '=', isUuid(by.emailId) ? by.emailId : NIL).execute();
  return all.where('job_id', '=', sql<string>`any(${by.jobIds}::uuid[])`).execute();
}

/** An e-mail as figures know it. */
export type SentEmail = Awaited<ReturnType<typeof findSentEmails>>[number];
