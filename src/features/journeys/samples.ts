import { randomUUID } from 'node:crypto';
import type { FeatureSamples, NameOf, Sample } from '../../../test/contract/samples.ts';
import { eventually } from '../../../test/harness/poll.ts';
import { subscriberSample } from '../contacts/subscribers/samples.ts';
import { senderDomain } from '../mail/email-settings/samples.ts';
import { listOfUnit, unit } from '../tenancy/business-units/samples.ts';

const body = (name: NameOf) => ({
  name: 'Welcome',
  active: true,
  trigger: { type: 'manual' },
  steps: [{ key: 'wait', type: 'wait', seconds: 86400 }],
  re_entry: 'after_exit',
  business_unit: name(unit),
});

/** A journey. */
const journey: Sample = {
  needs: [unit],
  make: async ({ tenant, name }) => (await tenant.api.post('/api/journeys', body(name))).body.id,
  absent: randomUUID,
};

/** Another journey, with an enrollment. */
const travelled: Sample = { ...journey };

const state: Sample = {
  needs: [travelled, subscriberSample],
  make: async ({ tenant, name }) => {
    const path = `/api/journeys/${name(travelled)}/enter`;
    return (await tenant.api.post(path, { subscriber_id: name(subscriberSample) })).body.state_id;
  },
  absent: randomUUID,
};

/** A journey that sent a mail to a subscriber. */
const mailed: Sample = {
  needs: [unit, senderDomain, subscriberSample],
  make: async ({ tenant: { api }, name }) => {
    const template = { name: 'Welcome', from_email: `hello@${name(senderDomain)}`, transactional: false };
    const { id: template_id } = (await api.post('/api/templates', template)).body;
    const version = { active: true, subject: 'Welcome', html_content: '<p>Welcome</p>' };
    await api.post(`/api/templates/${template_id}/versions`, version);
    const steps = [{ key: 'mail', type: 'send_email', template_id }];
    const { id } = (await api.post('/api/journeys', { ...body(name), steps })).body;
    const person = { subscriber_id: name(subscriberSample) };
    const { state_id } = (await api.post(`/api/journeys/${id}/enter`, person)).body;
    const path = `/api/journeys/${id}/states/${state_id}`;
    await eventually('the mail', async () => (await api.get(path)).body.status !== 'active');
    return id;
  },
  absent: randomUUID,
};

/** A journey that was deleted while it had an enrollment. */
const deleted: Sample = {
  needs: [unit, subscriberSample],
  make: async ({ tenant: { api }, name }) => {
    const { id } = (await api.post('/api/journeys', body(name))).body;
    await api.post(`/api/journeys/${id}/enter`, { subscriber_id: name(subscriberSample) });
    await api.delete(`/api/journeys/${id}`);
    return id;
  },
};

const ofJourney = (name: NameOf) => ({ id: name(journey) });
const ofState = (name: NameOf) => ({ id: name(travelled), state_id: name(state) });

export const samples: FeatureSamples = {
  records: [journey, travelled, state, mailed, deleted],
  requests: {
    'journeys.create': (name) => ({ body: body(name) }),
    'journeys.list': (name) => ({ body: listOfUnit(name) }),
    'journeys.get': (name) => ({ params: ofJourney(name) }),
    'journeys.replace': (name) => ({ params: ofJourney(name), body: body(name) }),
    'journeys.delete': (name) => ({ params: ofJourney(name) }),
    'journeys.enter': (name) => ({
      params: ofJourney(name),
      body: { subscriber_id: name(subscriberSample) },
    }),
    'journeys.simulate': (name) => ({ params: ofJourney(name), body: { subscriber: {} } }),
    'journeys.list_states': (name) => ({
      params: { id: name(travelled) },
      body: { page: 1, limit: 10 },
    }),
    'journeys.get_state': (name) => ({ params: ofState(name) }),
    'journeys.exit_state': (name) => ({ params: ofState(name) }),
  },
};
