import { randomUUID } from 'node:crypto';
import { plainSamples } from '../../../../test/contract/plain-samples.ts';
import type { FeatureSamples } from '../../../../test/contract/samples.ts';

const list = plainSamples({
  id: 'lists',
  path: '/api/lists',
  key: 'id',
  absent: randomUUID,
  fields: { name: 'Newsletter' },
});

/** A list. */
export const listSample = list.record;

export const { samples }: { samples: FeatureSamples } = list;
