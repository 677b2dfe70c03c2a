import { randomUUID } from 'node:crypto';
import type { FeatureSamples, NameOf, RouteRequest, Sample } from '../../../test/contract/samples.ts';

const form = {
  type: 'multipart/form-data; boundary=sample',
  text: [
    '--sample',
    'Content-Disposition: form-data; name="file"; filename="sample.txt"',
    '',
    'A sample.',
    '--sample',
    'Content-Disposition: form-data; name="tags"',
    '',
    'sample',
    '--sample--',
    '',
  ].join('\r\n'),
};

const assetSample: Sample = {
  make: async ({ tenant }) => {
    const headers = { 'content-type': form.type };
    const { body } = await tenant.api.send('POST', '/api/assets', { rawBody: form.text, headers });
    return body.id;
  },
  absent: randomUUID,
};

const one = (name: NameOf): RouteRequest => ({ params: { id: name(assetSample) } });

export const samples: FeatureSamples = {
  records: [assetSample],
  requests: {
    'assets.create': () => ({ upload: form }),
    'assets.list': () => ({
      body: { page: 1, limit: 10, filters: { tags: { operation: 'eq', value: 'sample' } } },
    }),
    'assets.get': one,
    'assets.replace': (name) => ({ ...one(name), body: { name: 'Renamed.txt', folder: '/texts' } }),
    'assets.delete': one,
    'assets.download': (name) => ({ params: { id: name(assetSample), file: 'sample.txt' } }),
  },
};
