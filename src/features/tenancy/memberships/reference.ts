import type { ReferenceTexts } from '../../feature.ts';

/** Texts of the API reference for this area. */
export const reference: ReferenceTexts = {
  tags: { Memberships: 'Users of a tenant and their roles per unit. Owners only.' },
  examples: {
    'memberships.create': { email: 'grace@acme.example', name: 'Grace Hopper' },
    'memberships.update': { status: 'inactive' },
  },
};
