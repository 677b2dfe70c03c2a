import type { ReferenceTexts } from '../../feature.ts';

/** Texts of the API reference for this area. */
export const reference: ReferenceTexts = {
  tags: { Memberships: 'Who belongs to a tenant, with which role in which unit. For owners.' },
  examples: {
    'memberships.create': { email: 'grace@acme.example', name: 'Grace Hopper' },
    'memberships.update': { status: 'inactive' },
  },
};
