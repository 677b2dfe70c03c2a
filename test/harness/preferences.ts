/** Preference pages: links to them, and the subscribers, tenants and subscription types that they need. */
import { preferencesUrl } from '../../src/features/contacts/subscribers/index.ts';
import { normalizeAddress } from '../../src/mail/address.ts';
import { createClient } from './client.ts';
import { createSubscriber } from './subscribers.ts';
import type { TestApp, TestTenant } from './test-app.ts';

/** Optional parts of a link in a message. */
export interface LinkOptions {
  readonly marketingEmailId?: string;
  readonly subscriptionTypeId?: string;
  /** Default: now. */
  readonly createdAt?: Date;
}

/** Returns the token of the preferences link in a message to a subscriber. */
export function preferencesToken(
  { app }: TestApp,
  { tenantId }: Pick<TestTenant, 'tenantId'>,
  { id: subscriberId, email }: { readonly id: string; readonly email: string },
  { marketingEmailId, subscriptionTypeId, createdAt = new Date() }: LinkOptions = {},
): string {
  const url = preferencesUrl(app.platform, {
    ...{ tenantId, subscriberId, addressKey: normalizeAddress(email), now: createdAt },
    marketingEmailId: marketingEmailId ?? null,
    subscriptionTypeId: subscriptionTypeId ?? null,
  });
  return url.slice(url.lastIndexOf('/') + 1);
}

/** Returns a subscription type for the settings. */
export function subscriptionType(id: string, more: object = {}) {
  return { id, name: id, description: `About ${id}`, active: true, ...more };
}

/** Replaces the settings of a tenant with these types only. */
export async function defineTypes({ api }: Pick<TestTenant, 'api'>, types: readonly object[]): Promise<void> {
  await api.put('/api/email_settings', {
    ...{ sender_identities: [], whitelist_recipient_rules: [], subscriber_additional_fields: {} },
    subscription_types: types,
  });
}

/** Creates a tenant with a brand; returns the parts that links and calls need. */
export async function createBrandedTenant({ admin, url }: TestApp, name: string, brand: object) {
  const code = `b${crypto.randomUUID().replaceAll('-', '').slice(0, 12)}`;
  const owner = { email: `owner@${code}.test`, name: 'Owner', password: 'correct horse battery staple' };
  const { body } = await admin.post('/admin/tenants', { code, name, owner, brand_settings: brand });
  const { tenant_id: tenantId, default_business_unit_id: defaultUnitId } = body;
  return {
    code,
    tenantId: String(tenantId),
    defaultUnitId: String(defaultUnitId),
    api: createClient(url, { 'x-api-key': body.api_key }),
  };
}

/** Creates a subscriber; returns its id, its body, and the token of a link. */
export async function createRecipient(
  app: TestApp,
  tenant: Pick<TestTenant, 'api' | 'tenantId'>,
  more: object = {},
) {
  const subscriber = await createSubscriber(tenant, more);
  return {
    ...subscriber,
    token: preferencesToken(app, tenant, { id: subscriber.id, email: subscriber.body.email }),
  };
}
