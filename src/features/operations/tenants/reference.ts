import type { ReferenceTexts } from '../../feature.ts';

/** Texts of the API reference for this area. */
export const reference: ReferenceTexts = {
  tags: {
    Tenant: 'Which tenant a key belongs to, and how the installation is set up.',
    Operator:
      'What whoever runs the installation does, with the operator token: tenants, domains, the outbox.',
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
