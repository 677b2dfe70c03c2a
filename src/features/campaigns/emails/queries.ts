import { sql } from 'kysely';
import { MAX_USES, type Use } from '../../../resources/uses.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

/** Keeps a campaign from being deleted until the transaction ends. */
export async function lockCampaign(tx: ScopedDb, code: string): Promise<void> {
  const campaign = tx.query.selectFrom('marketing_campaigns').select('id').where('code', '=', code);
  await campaign.forKeyShare().execute();
}

/** True if any e-mail of a campaign is ready, scheduled or being sent. */
export async function hasActiveEmails(db: ScopedDb, code: string): Promise<boolean> {
  const found = await db.query
    .selectFrom('marketing_emails')
    .select('id')
    .where('campaign_code', '=', code)
    .where('status', 'in', ['Ready', 'Scheduled', 'Sending'])
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** The e-mails of a campaign with their sendings. */
export function listSendingsOf(db: ScopedDb, code: string): Promise<{ id: string; job_id: string }[]> {
  return db.query
    .selectFrom('marketing_emails')
    .select(['id', 'job_id'])
    .where('campaign_code', '=', code)
    .execute();
}

/** Finds emails that wait or go out to a list or audience. */
export async function findGroupUses(db: ScopedDb, groupId: string): Promise<readonly Use[]> {
  const { rows } = await db.raw(
    (tenantId) => sql<Omit<Use, 'kind'>>`
    select e.id, e.name, e.owner_bu_id from marketing_emails e
    where e.tenant_id = ${tenantId}::uuid and e.status in ('Ready', 'Scheduled', 'Sending')
      and (e.list_ids::jsonb ? ${groupId} or e.audience_ids::jsonb ? ${groupId}) order by e.id limit ${MAX_USES}`,
  );
  return rows.map((row) => ({ kind: 'campaign email', ...row }));
}
