import { body, type FeatureExamples, type NameOf } from '../../../http/examples.ts';
import { shortCode } from '../../../secrets/codes.ts';
import { RestoreBody } from './schema.ts';

const query = (name: NameOf) => ({ entityType: 'form', entitySortKey: name('form') });

export const examples: FeatureExamples = {
  records: { deleted_theme: { shown: 'k3v9x2m8qp', absent: shortCode } },
  requests: {
    'entity_versions.list': { query },
    'entity_records.get': { query },
    'entity_versions.get': { params: { version: '1' }, query },
    'deleted_records.list': { query: { entityType: 'form' } },
    'deleted_records.restore': body(RestoreBody)((name) => ({
      entityType: 'form_theme',
      entitySortKey: name('deleted_theme'),
    })),
  },
};
