import { body, type FeatureExamples } from '../../../http/examples.ts';
import { EventsBody, EventsQuery } from './schema.ts';

export const examples: FeatureExamples = {
  requests: {
    'marketing_events.create': body(EventsBody)((name) => ({
      events: [{ type: 'purchase', subscriber_id: name('subscriber'), amount: 49.9 }],
    })),
    'marketing_events.query': body(EventsQuery)({
      from: '2026-01-01',
      to: '2026-12-31',
      group_by: 'campaign',
    }),
  },
};
