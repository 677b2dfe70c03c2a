import { body, type FeatureExamples, type NameOf } from '../../../http/examples.ts';
import { DraftBody } from './schema.ts';

const params = (name: NameOf) => ({ entity_type: 'form', key: name('draft') });

export const examples: FeatureExamples = {
  records: { draft: { shown: 'new' } },
  requests: {
    'drafts.list': { query: { entity_type: 'form' } },
    'drafts.get': { params },
    'drafts.put': { params, ...body(DraftBody)({ base_version: null, data: { name: 'Contact' } }) },
    'drafts.delete': { params },
  },
};
