import { randomUUID } from 'node:crypto';
import { body, type FeatureExamples } from '../../../http/examples.ts';
import { audiences } from '../subscriber-groups/index.ts';
import { ExplanationBody } from './explanation.ts';
import { PreviewBody } from './preview.ts';

const gardeners = {
  name: 'Gardeners',
  filters: {
    'additional_fields_data.hobby': { operation: 'eq', value: 'gardening' },
    engagement: { opened_since_days: 90 },
  },
};

export const examples: FeatureExamples = {
  records: {
    computed_audience: {
      path: '/api/audiences/{id}',
      createdBy: 'audiences.create',
      absent: randomUUID,
    },
    /** An audience without filters, to which subscribers can be added. */
    audience: { createdBy: 'audiences.create', with: { filters: undefined }, absent: randomUUID },
  },
  requests: {
    'audiences.create': body(audiences.createBody)(gardeners),
    'audiences.preview': body(PreviewBody)({ filters: gardeners.filters }),
    'audiences.explain': {
      params: (name) => ({ id: name('computed_audience') }),
      ...body(ExplanationBody)((name) => ({ subscriber_id: name('subscriber') })),
    },
    'audiences.replace': body(audiences.replaceBody)({
      ...gardeners,
      description: 'People who asked for seeds',
    }),
  },
};
