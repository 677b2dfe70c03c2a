import type { FeatureSamples, NameOf } from '../../../test/contract/samples.ts';
import { form } from '../forms/samples.ts';

const query = (name: NameOf) => ({ entityType: 'form', entitySortKey: name(form) });

export const samples: FeatureSamples = {
  records: [],
  requests: {
    'entity_versions.list': (name) => ({ query: query(name) }),
    'entity_versions.get': (name) => ({ params: { version: '1' }, query: query(name) }),
    'deleted_records.list': () => ({ query: { entityType: 'form' } }),
  },
};
