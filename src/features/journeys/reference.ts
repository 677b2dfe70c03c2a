import type { ReferenceTexts } from '../feature.ts';

const welcome = {
  name: 'Welcome',
  active: true,
  trigger: { type: 'manual' },
  steps: [
    { key: 'settle_in', type: 'wait', seconds: 86400 },
    { key: 'mark', type: 'update_subscriber', additional_fields_data: { welcomed: true } },
  ],
};

/** Texts of the API reference for this area. */
export const reference: ReferenceTexts = {
  tags: { Journeys: 'Flows of mails, waits and branches for subscribers.' },
  examples: {
    'journeys.create': welcome,
    'journeys.replace': { ...welcome, active: false },
    'journeys.enter': { email: 'ada@example.com' },
    'journeys.simulate': { subscriber: { first_name: 'Ada' }, start_at: '2026-01-01T09:00:00Z' },
    'journeys.list_states': { page: 1, limit: 20, filters: { status: { operation: 'eq', value: 'active' } } },
  },
};
