import type { FeatureExamples } from '../../../http/examples.ts';

export const examples: FeatureExamples = {
  requests: {
    'operations.guides': { query: { q: 'webhook' } },
    'operations.reference_asset': { params: { file: 'reference.js' } },
    'operations.guide': { params: { page: 'errors' } },
    'operations.moved_guide': { params: { page: 'errors' } },
  },
};
