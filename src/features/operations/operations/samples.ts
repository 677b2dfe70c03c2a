import type { FeatureSamples } from '../../../../test/contract/samples.ts';

export const samples: FeatureSamples = {
  records: [],
  requests: {
    'operations.guides': () => ({ query: { q: 'webhook' } }),
    'operations.reference_asset': () => ({ params: { file: 'reference.js' } }),
    'operations.guide': () => ({ params: { page: 'errors' } }),
    'operations.moved_guide': () => ({ params: { page: 'errors' } }),
  },
};
