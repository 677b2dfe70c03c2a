import { randomUUID } from 'node:crypto';
import { plainSamples } from '../../../test/contract/plain-samples.ts';
import type { FeatureSamples } from '../../../test/contract/samples.ts';

const list = plainSamples({
  id: 'lists',
  path: '/api/lists',
  key: 'id',
  absent: randomUUID,
  fields: { name: 'Newsletter' },
});
const audience = plainSamples({
  id: 'audiences',
  path: '/api/audiences',
  key: 'id',
  absent: randomUUID,
  fields: { name: 'Gardeners' },
});

/** A list and an audience. */
export const [listSample, audienceSample] = [list.record, audience.record];

export const samples: FeatureSamples = {
  records: [list.record, audience.record],
  requests: { ...list.samples.requests, ...audience.samples.requests },
};
