import type { ReferenceTexts } from '../../feature.ts';

/** Texts of the API reference for this area. */
export const reference: ReferenceTexts = {
  tags: {
    Tenant: 'The tenant of an API key, and the setup of this installation.',
    Operator: 'Administration with the operator token: tenants, domains, outbox.',
  },
  examples: {
    'tenants.create': {
      code: 'acme',
      name: 'Acme',
      owner: { email: 'owner@acme.example', name: 'Ada Lovelace', password: 'a long sentence is a good one' },
    },
    'tenants.update': { status: 'suspended' },
    'tenants.delete': { confirm: 'acme' },
    'tenants.reset': { confirm: 'acme' },
  },
};
