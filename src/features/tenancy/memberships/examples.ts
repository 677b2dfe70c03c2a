import { randomUUID } from 'node:crypto';
import { body, type FeatureExamples } from '../../../http/examples.ts';
import { MembershipCreate, MembershipUpdate } from './schema.ts';

export const examples: FeatureExamples = {
  records: {
    membership: { path: '/api/client/v1/memberships/{membership_id}', absent: randomUUID },
    spare_membership: { absent: randomUUID },
    invited_membership: { absent: randomUUID },
  },
  requests: {
    'memberships.create': body(MembershipCreate)((name, unique) => ({
      email: unique('grace@acme.example'),
      name: 'Grace Hopper',
      grants: [{ bu_id: name('unit'), role: 'viewer' }],
    })),
    'memberships.update': body(MembershipUpdate)((name) => ({
      grants: [{ bu_id: name('unit'), role: 'viewer' }],
    })),
    'memberships.resend_invitation': {
      params: (name) => ({ membership_id: name('invited_membership') }),
    },
    'memberships.delete': { params: (name) => ({ membership_id: name('spare_membership') }) },
  },
};
