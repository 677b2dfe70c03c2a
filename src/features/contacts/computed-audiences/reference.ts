import type { ReferenceTexts } from '../../feature.ts';

const gardeners = {
  name: 'Gardeners',
  filters: {
    'additional_fields_data.hobby': { operation: 'eq', value: 'gardening' },
    engagement: { opened_since_days: 90 },
  },
};

/** What the reference says of this area: bodies to begin with. */
export const reference: ReferenceTexts = {
  examples: {
    'audiences.create': gardeners,
    'audiences.replace': { ...gardeners, description: 'People who asked for seeds' },
  },
};
