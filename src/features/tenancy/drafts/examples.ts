import { body, type FeatureExamples } from '../../../http/examples.ts';
import { DraftBody } from './schema.ts';

const query = { entity_type: 'form' };
const params = { entity_type: 'form', key: 'new' };

export const examples: FeatureExamples = {
  requests: {
    'drafts.list': { query },
    'drafts.get': { params },
    'drafts.put': { params, ...body(DraftBody)({ base_version: null, data: { name: 'Contact' } }) },
    'drafts.delete': { params },
  },
};
