import { randomUUID } from 'node:crypto';
import type { FeatureSamples, NameOf, Sample } from '../../../../test/contract/samples.ts';
import { createClient } from '../../../../test/harness/client.ts';
import { createMember } from '../../../../test/harness/members.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { PASSWORD } from '../../../../test/harness/test-app.ts';

/** The token in the mail of a password reset. */
const resetToken: Sample = {
  make: async ({ tenant }) => {
    const { email } = await createMember(tenant, []);
    await createClient(tenant.api.url).post('/auth/password-resets', { email });
    const { id } = await eventually('the mail', async () => {
      const { body } = await tenant.operator.get(`/admin/outbox?to=${email}`);
      return body.results[0] ?? null;
    });
    const { text } = (await tenant.operator.get(`/admin/outbox/${id}`)).body;
    return /\/console\/reset\/([\w.-]+)/.exec(text)?.[1] ?? '';
  },
};

const link = (name: NameOf) => ({ params: { token: name(resetToken) } });

export const samples: FeatureSamples = {
  records: [resetToken],
  requests: {
    'password_resets.create': () => ({ body: { email: `nobody-${randomUUID()}@example.com` } }),
    'password_resets.get': (name) => link(name),
    'password_resets.complete': (name) => ({ ...link(name), body: { password: PASSWORD } }),
    'password_resets.page': (name) => link(name),
    'password_resets.submit': (name) => ({
      ...link(name),
      upload: { type: 'application/x-www-form-urlencoded', text: `password=${encodeURIComponent(PASSWORD)}` },
    }),
  },
};
