import { randomUUID } from 'node:crypto';
import {
  type FeatureSamples,
  type NameOf,
  newDomain,
  type Sample,
} from '../../../../test/contract/samples.ts';
import { receiver } from '../../forms/webhooks/samples.ts';
import { tenant } from '../../operations/tenants/samples.ts';

/** A verified sending domain. All units of the tenant can send from it, so it hides nothing. */
export const senderDomain: Sample = {
  make: async ({ tenant: { operator, code } }) => {
    const domain = newDomain();
    await operator.post(`/admin/tenants/${code}/sending-domains`, { domain, verified: true });
    return domain;
  },
};

/** An unverified sending domain. */
const newSendingDomain: Sample = {
  make: async ({ tenant }) => {
    const { body } = await tenant.api.post('/api/email_settings/sending_domains', { domain: newDomain() });
    return body.domain;
  },
  absent: newDomain,
};

const settings = (name: NameOf) => ({
  sender_identities: [],
  whitelist_recipient_rules: [{ domain_name: 'example.com', active: true }],
  subscription_types: [{ id: 'news', name: 'News', description: '', active: true }],
  subscriber_additional_fields: { size: { label: 'Size', type: 'text', order: 1 } },
  event_webhooks: [{ name: 'Hook', target: name(receiver), events: ['delivery'], active: true }],
});

/** A subscription type, with an event webhook and all other settings. */
export const subscriptionType: Sample = {
  needs: [receiver],
  make: async ({ tenant, name }) => {
    await tenant.api.put('/api/email_settings', settings(name));
    return 'news';
  },
};

const CSV = { type: 'text/csv', text: 'recipient,type\nada@example.com,bounce\n' };

/** The result of an import of suppressions. */
const suppressionImport: Sample = {
  make: async ({ tenant }) => {
    const { body } = await tenant.api.post('/api/email_settings/suppressions/import', undefined, 200, {
      rawBody: CSV.text,
      headers: { 'content-type': CSV.type },
    });
    return body.import_id;
  },
  absent: randomUUID,
};

const domain = (name: NameOf) => ({ domain: name(newSendingDomain) });

export const samples: FeatureSamples = {
  records: [senderDomain, newSendingDomain, subscriptionType, suppressionImport],
  requests: {
    'email_settings.replace': (name) => ({ body: settings(name) }),
    'subscription_types.get': (name) => ({ params: { id: name(subscriptionType) } }),
    'sender_identities.delete': () => ({ params: { from_email_address: 'ada@example.com' } }),
    'sending_domains.create': (name) => ({ body: { domain: `new.${name(senderDomain)}` } }),
    'sending_domains.verify': (name) => ({ params: domain(name) }),
    'sending_domains.delete': (name) => ({ params: domain(name) }),
    'sending_domains.vouch': (name) => ({
      params: { code: name(tenant) },
      body: { domain: newDomain(), verified: true },
    }),
    'suppressions.list': () => ({ query: { page: '1', pageSize: '10', type: 'bounce' } }),
    'suppressions.get': () => ({ params: { recipient: 'ada@example.com' } }),
    'suppressions.create': () => ({ body: { recipient: 'bob@example.com', type: 'complaint' } }),
    'suppressions.import': () => ({ upload: CSV }),
    'suppressions.get_import': (name) => ({ params: { id: name(suppressionImport) } }),
    'suppressions.delete': () => ({ params: { recipient: 'ada@example.com' } }),
  },
};
