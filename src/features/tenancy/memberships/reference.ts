import type { ReferenceTexts } from '../../feature.ts';

/** What the reference says of this area: what its groups are about, and bodies to begin with. */
export const reference: ReferenceTexts = {
  tags: { Memberships: 'Who belongs to a tenant, with which role in which unit. For owners.' },
  examples: {
    'memberships.create': { email: 'grace@acme.example', name: 'Grace Hopper' },
    'memberships.update': { status: 'inactive' },
  },
};
