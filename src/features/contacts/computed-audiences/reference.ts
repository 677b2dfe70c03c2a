import type { ReferenceTexts } from '../../feature.ts';

const gardeners = {
  name: 'Gardeners',
  filters: {
    'additional_fields_data.hobby': { operation: 'eq', value: 'gardening' },
    engagement: { opened_since_days: 90 },
  },
};

/** Texts of the API reference for this area. */
export const reference: ReferenceTexts = {
  examples: {
    'audiences.create': gardeners,
    'audiences.replace': { ...gardeners, description: 'People who asked for seeds' },
  },
};
