import type { ReferenceTexts } from '../../feature.ts';

/** Texts of the API reference for this area. */
export const reference: ReferenceTexts = {
  tags: {
    'Marketing events': 'Page views, purchases and time on site, attributed to emails.',
  },
  examples: {
    'marketing_events.create': {
      events: [{ type: 'purchase', email: 'ada@example.com', amount: 49.9 }],
    },
    'marketing_events.query': { from: '2026-01-01', to: '2026-12-31', group_by: 'campaign' },
  },
};
