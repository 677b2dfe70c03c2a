import { randomUUID } from 'node:crypto';
import type { Static } from 'typebox';
import { body, type FeatureExamples } from '../../http/examples.ts';
import { journeys } from './resource.ts';
import { EnterBody } from './schema.ts';
import { SimulateBody } from './simulation/schema.ts';

const welcome: Static<typeof journeys.createBody> = {
  name: 'Welcome',
  active: true,
  trigger: { type: 'manual' },
  steps: [
    { key: 'settle_in', type: 'wait', seconds: 86400 },
    { key: 'mark', type: 'update_subscriber', additional_fields_data: { welcomed: true } },
  ],
  re_entry: 'after_exit',
};

export const examples: FeatureExamples = {
  records: {
    journey: { path: '/api/journeys/{id}', createdBy: 'journeys.create', absent: randomUUID },
    entered_journey: { createdBy: 'journeys.create', absent: randomUUID },
    enrollment: { absent: randomUUID },
  },
  requests: {
    'journeys.create': body(journeys.createBody)(welcome),
    'journeys.replace': body(journeys.replaceBody)(welcome),
    'journeys.enter': body(EnterBody)((name) => ({ subscriber_id: name('subscriber') })),
    'journeys.simulate': body(SimulateBody)({
      subscriber: { first_name: 'Ada' },
      start_at: '2026-01-01T09:00:00Z',
    }),
    'journeys.list_states': {
      params: (name) => ({ id: name('entered_journey') }),
      body: { page: 1, limit: 20, filters: { status: { operation: 'eq', value: 'active' } } },
    },
    'journeys.get_state': {
      params: (name) => ({ id: name('entered_journey'), state_id: name('enrollment') }),
    },
    'journeys.exit_state': {
      params: (name) => ({ id: name('entered_journey'), state_id: name('enrollment') }),
    },
  },
};
