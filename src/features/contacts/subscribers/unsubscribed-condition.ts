import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** SQL that is true if the subscriber `s` has unsubscribed from the type; false for null, no type. */
export function isUnsubscribed(tenantId: string, subscriptionTypeId: string | null): RawBuilder<SqlBool> {
  // Not every database can plan a comparison with null (docs/decisions/0021).
  if (subscriptionTypeId === null) return sql<SqlBool>`false`;
  return sql<SqlBool>`exists (
    select from subscription_preferences p
    where p.tenant_id = ${tenantId}::uuid and p.subscriber_id = s.id and p.subscription_type_id = ${subscriptionTypeId}
      and not p.subscribed)`;
}
