import type { FeatureSamples } from '../../../test/contract/samples.ts';

export const samples: FeatureSamples = {
  records: [],
  requests: { 'operations.reference_asset': () => ({ params: { file: 'reference.js' } }) },
};
