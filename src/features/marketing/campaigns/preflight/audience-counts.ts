import { sql } from 'kysely';
import type { Platform } from '../../../../platform.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import { type EXCLUSIONS, exclusionOf } from './exclusion.ts';

/** Number of recipients of an email, and number of exclusions by reason. */
export type AudienceCounts = Readonly<
  Record<'recipients' | (typeof EXCLUSIONS)[number] | 'duplicate', number>
>;

const NO_COUNTS: AudienceCounts = {
  recipients: 0,
  inactive: 0,
  unsubscribed: 0,
  suppressed: 0,
  sandbox: 0,
  duplicate: 0,
};

/**
 * Counts recipients and exclusions. A repeated address is a duplicate; of several reasons, only the first one counts.
 */
export async function countAudience(
  platform: Platform,
  db: ScopedDb,
  groups: readonly string[],
  subscriptionTypeId: string | null,
): Promise<AudienceCounts> {
  if (groups.length === 0) return NO_COUNTS;
  const exclusion = await exclusionOf(platform, db, subscriptionTypeId);
  const { rows } = await db.raw(
    (tenantId) => sql<AudienceCounts>`
    with members as materialized (
      select m.subscriber_id as id, count(*) as memberships from subscriber_group_members m
      where m.tenant_id = ${tenantId}::uuid and m.group_id = any(${groups}::uuid[]) group by m.subscriber_id
    ), checked as materialized (
      select s.address_key, members.memberships, ${exclusion(tenantId)} as reason
      from members join subscribers s on s.tenant_id = ${tenantId}::uuid and s.id = members.id
    )
    select count(distinct address_key) filter (where reason is null)::int as recipients,
      count(*) filter (where reason = 'inactive')::int as inactive,
      count(*) filter (where reason = 'unsubscribed')::int as unsubscribed,
      count(*) filter (where reason = 'suppressed')::int as suppressed,
      count(*) filter (where reason = 'sandbox')::int as sandbox,
      (coalesce(sum(memberships) filter (where reason is null), 0) - count(distinct address_key) filter (where reason is null))::int as duplicate
    from checked`,
  );
  return rows[0] ?? NO_COUNTS;
}

/** Returns true if an email to these groups would have no recipients. */
export async function hasNoRecipients(
  platform: Platform,
  db: ScopedDb,
  groups: readonly string[],
  subscriptionTypeId: string | null,
): Promise<boolean> {
  const exclusion = await exclusionOf(platform, db, subscriptionTypeId);
  const { rows } = await db.raw(
    (tenantId) => sql`
    select from subscriber_group_members m
    join subscribers s on s.tenant_id = ${tenantId}::uuid and s.id = m.subscriber_id
    where m.tenant_id = ${tenantId}::uuid and m.group_id = any(${groups}::uuid[])
      and (${exclusion(tenantId)}) is null limit 1`,
  );
  return rows.length === 0;
}
