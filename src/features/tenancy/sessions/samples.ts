import { randomUUID } from 'node:crypto';
import type { FeatureSamples, Sample } from '../../../../test/contract/samples.ts';
import { createMember, signIn } from '../../../../test/harness/members.ts';
import { PASSWORD } from '../../../../test/harness/test-app.ts';

/** The address of a user who can sign in. */
const person: Sample = {
  make: async ({ tenant }) => (await createMember(tenant, [])).email,
  absent: () => `nobody-${randomUUID()}@example.com`,
};

/** A refresh token that has not been exchanged yet. */
const refreshToken: Sample = {
  needs: [person],
  make: async ({ tenant, name }) => (await signIn(tenant.api, name(person))).refreshToken,
  absent: () => `tsr_${randomUUID().replaceAll('-', '')}_${'A'.repeat(43)}`,
};

export const samples: FeatureSamples = {
  records: [person, refreshToken],
  requests: {
    'auth.login': (name) => ({ body: { email: name(person), password: PASSWORD } }),
    'auth.refresh': (name) => ({ body: { refresh_token: name(refreshToken) } }),
    'auth.change_password': () => ({ body: { current_password: 'not it', password: PASSWORD } }),
    'users.set_password': (name) => ({ body: { email: name(person), password: PASSWORD } }),
    'auth.logout': (name) => ({ body: { refresh_token: name(refreshToken) } }),
  },
};
