import { type SqlBool, sql } from 'kysely';
import { MAX_USAGE, type UsingRecord } from '../../../../resources/usage.ts';
import { type FoundUse, MAX_USES, type Uses, usesIn } from '../../../../resources/uses.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';

/** Share-locks a campaign, so that it is not deleted until the transaction ends. */
export async function lockCampaign(tx: ScopedDb, code: string): Promise<void> {
  const campaign = tx.query.selectFrom('marketing_campaigns').select('id').where('code', '=', code);
  await campaign.forKeyShare().execute();
}

/** Finds the emails of a campaign that are ready, scheduled or being sent. */
export async function findActiveEmails(db: ScopedDb, code: string): Promise<Uses> {
  const { rows } = await db.raw(
    (tenantId) => sql<FoundUse>`
    select id, name, owner_bu_id, count(*) over () as total from marketing_emails
    where tenant_id = ${tenantId}::uuid and campaign_code = ${code} and status in ('Ready', 'Scheduled', 'Sending')
    order by id limit ${MAX_USES}`,
  );
  return usesIn('email', rows);
}

/** Reason of an email that a member cancelled. */
export const CANCELLED_MANUALLY = 'It was cancelled manually.';

/** Lists emails that were cancelled since a time because they could not be sent, the most recent first. */
export function listStoppedEmails(db: ScopedDb, after: Date, limit: number) {
  return db.query
    .selectFrom('marketing_emails')
    .select(['id', 'name', 'owner_bu_id', 'updated_at'])
    .select(sql<number>`count(*) over ()::int`.as('total'))
    .where('status', '=', 'Cancelled')
    .where('cancel_reason', '<>', CANCELLED_MANUALLY)
    .where('updated_at', '>', after.toISOString())
    .orderBy('updated_at', 'desc')
    .limit(limit)
    .execute();
}

/** Lists the ids of a campaign's emails and of their sendings. */
export function listSendingsOf(db: ScopedDb, code: string): Promise<{ id: string; job_id: string }[]> {
  return db.query
    .selectFrom('marketing_emails')
    .select(['id', 'job_id'])
    .where('campaign_code', '=', code)
    .execute();
}

/** Returns the sending ids of emails, by email id. */
export async function findJobIds(db: ScopedDb, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query
    .selectFrom('marketing_emails')
    .select(['id', 'job_id'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  return new Map(rows.map(({ id, job_id }) => [id, job_id]));
}

/** Finds the emails to a list or audience that are ready, scheduled or being sent. */
export async function findGroupUses(db: ScopedDb, groupId: string): Promise<Uses> {
  const { rows } = await db.raw(
    (tenantId) => sql<FoundUse>`
    select e.id, e.name, e.owner_bu_id, count(*) over () as total from marketing_emails e
    where e.tenant_id = ${tenantId}::uuid and e.status in ('Ready', 'Scheduled', 'Sending')
      and (e.list_ids::jsonb ? ${groupId} or e.audience_ids::jsonb ? ${groupId}) order by e.id limit ${MAX_USES}`,
  );
  return usesIn('campaign email', rows);
}

/** Finds the emails of the scope to a list or audience, the last changed first. Those to be sent are active. */
export async function findUsingEmails(db: ScopedDb, groupId: string): Promise<readonly UsingRecord[]> {
  const rows = await db.query
    .selectFrom('marketing_emails')
    .select(['id', 'name'])
    .select(sql<boolean>`status in ('Ready', 'Scheduled', 'Sending')`.as('is_active'))
    .where(sql<SqlBool>`(list_ids::jsonb ? ${groupId} or audience_ids::jsonb ? ${groupId})`)
    .orderBy('updated_at', 'desc')
    .orderBy('id')
    .limit(MAX_USAGE)
    .execute();
  return rows.map(({ id, name, is_active }) => ({
    entity_type: 'marketing_email',
    key: id,
    title: name,
    is_active,
  }));
}
