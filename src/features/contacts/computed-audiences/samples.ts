import { randomUUID } from 'node:crypto';
import { plainSamples } from '../../../../test/contract/plain-samples.ts';
import type { FeatureSamples } from '../../../../test/contract/samples.ts';

const of = { id: 'audiences', path: '/api/audiences', key: 'id', absent: randomUUID };
const plain = plainSamples({ ...of, fields: { name: 'Gardeners' } });
const filters = { active: { operation: 'eq', value: true }, engagement: { opened_since_days: 30 } };
const computed = plainSamples({ ...of, fields: { name: 'Readers', filters } });

/** An audience that people name. */
export const audienceSample = plain.record;

export const samples: FeatureSamples = {
  records: [plain.record, computed.record],
  requests: computed.samples.requests,
};
