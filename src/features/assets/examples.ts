import { randomUUID } from 'node:crypto';
import { body, type FeatureExamples } from '../../http/examples.ts';
import { assets } from './resource.ts';

const UPLOAD = `--part
Content-Disposition: form-data; name="file"; filename="logo.svg"

<svg xmlns="http://www.w3.org/2000/svg"/>
--part
Content-Disposition: form-data; name="tags"

brand
--part--
`;

export const examples: FeatureExamples = {
  records: { asset: { path: ['/api/assets/{id}', '/assets/{id}'], absent: randomUUID } },
  requests: {
    'assets.create': {
      upload: {
        type: 'multipart/form-data; boundary=part',
        text: UPLOAD.replaceAll('\n', '\r\n'),
        shown: { file: 'logo.svg', folder: '/brand', alt: 'The logo', tags: ['brand'] },
      },
    },
    'assets.replace': body(assets.replaceBody)({
      name: 'logo.svg',
      folder: '/brand',
      alt: 'The logo',
      tags: ['brand'],
    }),
    'assets.download': { params: { file: 'logo.svg' } },
  },
};
