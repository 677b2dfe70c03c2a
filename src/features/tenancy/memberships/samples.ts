import { randomUUID } from 'node:crypto';
import type { FeatureSamples, NameOf, Sample } from '../../../../test/contract/samples.ts';
import { createMember } from '../../../../test/harness/members.ts';
import { unit } from '../business-units/samples.ts';

const grants = (name: NameOf, role: 'viewer' | 'editor') => [{ bu_id: name(unit), role }];

/** The membership of an editor. */
export const membership: Sample = {
  needs: [unit],
  make: async ({ tenant, name }) => (await createMember(tenant, grants(name, 'editor'))).membershipId,
  absent: randomUUID,
};

/** A membership that nothing depends on, so that it can be deleted. */
const spareMembership: Sample = {
  make: async ({ tenant }) => (await createMember(tenant, [])).membershipId,
  absent: randomUUID,
};

/** The membership of an invited person. */
const invitedMembership: Sample = {
  make: async ({ tenant }) => {
    const body = { email: `i${randomUUID()}@example.com`, name: 'Invited', invite: true };
    return (await tenant.api.post('/api/client/v1/memberships', body)).body.membership_id;
  },
  absent: randomUUID,
};

export const samples: FeatureSamples = {
  records: [membership, spareMembership, invitedMembership],
  requests: {
    'memberships.list': () => ({ query: { limit: '5' } }),
    'memberships.create': (name) => ({
      body: { email: `n${randomUUID()}@example.com`, name: 'New member', grants: grants(name, 'viewer') },
    }),
    'memberships.update': (name) => ({
      params: { membership_id: name(membership) },
      body: { grants: grants(name, 'viewer') },
    }),
    'memberships.resend_invitation': (name) => ({ params: { membership_id: name(invitedMembership) } }),
    'memberships.delete': (name) => ({ params: { membership_id: name(spareMembership) } }),
  },
};
