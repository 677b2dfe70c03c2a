import type { FeatureSamples, NameOf } from '../../../test/contract/samples.ts';
import { form } from '../forms/samples.ts';

const query = (name: NameOf) => ({ entityType: 'form', entitySortKey: name(form) });

export const samples: FeatureSamples = {
  records: [],
  requests: {
    'entity-history.versions': (name) => ({ query: query(name) }),
    'entity-history.version': (name) => ({ params: { version: '1' }, query: query(name) }),
    'entity-history.deleted': () => ({ query: { entityType: 'form' } }),
  },
};
