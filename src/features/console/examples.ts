import type { FeatureExamples } from '../../http/examples.ts';

export const examples: FeatureExamples = {
  requests: {
    'console.screen': { params: { path: 't/acme' } },
    'console.asset': { params: { file: 'main-00000000.js' } },
  },
};
