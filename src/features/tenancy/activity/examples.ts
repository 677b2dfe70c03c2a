import { body, type FeatureExamples } from '../../../http/examples.ts';
import { ActivityQuery } from './schema.ts';

export const examples: FeatureExamples = {
  requests: {
    'activity.list': body(ActivityQuery)({ limit: 20, filters: { entity_type: { eq: 'form' } } }),
  },
};
