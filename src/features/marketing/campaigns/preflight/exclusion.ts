import { type RawBuilder, sql } from 'kysely';
import { normalizeAddress } from '../../../../mail/address.ts';
import { normalizeDomain } from '../../../../mail/domain-name.ts';
import type { Platform } from '../../../../platform.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import { isUnsubscribed } from '../../../contacts/api.ts';
import { getEmailSettings, isSuppressed } from '../../../email-settings/api.ts';

/** Reasons for which a member of the audience gets no message. */
export const EXCLUSIONS = ['inactive', 'unsubscribed', 'suppressed', 'sandbox'] as const;

/** SQL of the first reason why the subscriber `s` gets no mail of a type; null if there is none. */
export async function exclusionOf(
  platform: Platform,
  db: ScopedDb,
  subscriptionTypeId: string | null,
): Promise<(tenantId: string) => RawBuilder<string | null>> {
  const settings = await getEmailSettings(db);
  const rules = settings.whitelist_recipient_rules.filter(({ active }) => active);
  const addresses = rules.flatMap(({ email_address }) =>
    email_address ? normalizeAddress(email_address) : [],
  );
  const domains = rules.flatMap(({ domain_name }) =>
    domain_name ? (normalizeDomain(domain_name) ?? []) : [],
  );
  // As at send time, mail with a subscription type ignores `unsubscribe` suppressions: the preference for the type
  // decides.
  const suppressed = await isSuppressed(platform, db, sql.ref('s.address_key'), subscriptionTypeId !== null);
  return (tenantId) => sql<string | null>`case
    when not s.active then 'inactive'
    when ${isUnsubscribed(tenantId, subscriptionTypeId)} then 'unsubscribed'
    when ${suppressed} then 'suppressed'
    when ${settings.sandbox_mode} and not (s.address_key = any(${addresses}::text[])
      or split_part(s.address_key, '@', 2) = any(${domains}::text[])) then 'sandbox'
    end`;
}
