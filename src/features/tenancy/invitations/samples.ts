import { randomUUID } from 'node:crypto';
import type { FeatureSamples, NameOf, Sample } from '../../../../test/contract/samples.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { PASSWORD } from '../../../../test/harness/test-app.ts';

/** The token in the mail to an invited person. */
const invitationToken: Sample = {
  make: async ({ tenant }) => {
    const email = `i${randomUUID()}@example.com`;
    await tenant.api.post('/api/client/v1/memberships', { email, name: 'Invited', invite: true });
    const { id } = await eventually('the mail', async () => {
      const { body } = await tenant.operator.get(`/admin/outbox?to=${email}`);
      return body.results[0] ?? null;
    });
    const { text } = (await tenant.operator.get(`/admin/outbox/${id}`)).body;
    return /\/console\/invitation\/([\w.-]+)/.exec(text)?.[1] ?? '';
  },
};

const link = (name: NameOf) => ({ params: { token: name(invitationToken) } });

export const samples: FeatureSamples = {
  records: [invitationToken],
  requests: {
    'invitations.get': (name) => link(name),
    'invitations.accept': (name) => ({ ...link(name), body: { name: 'Member', password: PASSWORD } }),
    'invitations.page': (name) => link(name),
    'invitations.submit': (name) => ({
      ...link(name),
      upload: {
        type: 'application/x-www-form-urlencoded',
        text: `name=Member&password=${encodeURIComponent(PASSWORD)}`,
      },
    }),
  },
};
