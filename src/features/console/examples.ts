import type { FeatureExamples } from '../../http/examples.ts';

export const examples: FeatureExamples = {
  requests: {
    'console.screen': { params: { path: 't/acme' } },
    'console.submit_sign_in': {
      upload: {
        type: 'application/x-www-form-urlencoded',
        text: 'email=ada%40acme.example&password=correct+horse+battery+staple',
      },
    },
    'console.submit_forgot_password': {
      upload: { type: 'application/x-www-form-urlencoded', text: 'email=ada%40acme.example' },
    },
    'console.asset': { params: { file: 'main-00000000.js' } },
  },
};
