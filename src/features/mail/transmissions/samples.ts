import { randomUUID } from 'node:crypto';
import type { FeatureSamples, NameOf, Sample } from '../../../../test/contract/samples.ts';
import { actingIn } from '../../../../test/harness/members.ts';
import { unit } from '../../tenancy/business-units/samples.ts';
import { senderDomain } from '../email-settings/samples.ts';

const address = 'ada@example.com';

/** The body of a transmission that waits, so that it can be cancelled. */
export const waitingTransmission = (name: NameOf) => ({
  options: { transactional: true, scheduled_time: { date: '2100-01-01T09:00:00', timezone: 'UTC' } },
  recipients: [{ address }],
  content: { from: `hello@${name(senderDomain)}`, subject: 'Hi', html: '<p>Hi</p>' },
});

const transmission: Sample = {
  needs: [unit, senderDomain],
  make: async ({ tenant, name }) => {
    const acting = await actingIn(tenant.api, name(unit));
    return (await acting.post('/api/transmissions', waitingTransmission(name))).body.transactionId;
  },
  absent: randomUUID,
};

const params = (name: NameOf) => ({ id: name(transmission) });

export const samples: FeatureSamples = {
  records: [transmission],
  requests: {
    'transmissions.create': (name) => ({ body: waitingTransmission(name) }),
    'transmissions.list': () => ({
      query: { page: '1', limit: '10', state: 'scheduled', from: '2020-01-01', to: '2100-01-01' },
    }),
    'transmissions.get': (name) => ({ params: params(name) }),
    'transmissions.cancel': (name) => ({ params: params(name) }),
    'transmissions.list_recipients': (name) => ({ params: params(name), query: { page: '1', limit: '10' } }),
    'transmissions.tell_story': (name) => ({ params: { ...params(name), recipient: address } }),
  },
};
