import { body, type FeatureExamples } from '../../../http/examples.ts';
import { SearchBody } from './schema.ts';

export const examples: FeatureExamples = {
  requests: { 'search.records': body(SearchBody)({ query: 'ada@example.com', limit: 10 }) },
};
