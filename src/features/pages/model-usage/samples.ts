import type { FeatureSamples, NameOf } from '../../../../test/contract/samples.ts';
import { documentModel } from '../document-models/samples.ts';
import { project } from '../projects/samples.ts';
import { sliceModel } from '../slice-models/samples.ts';

const query = { page: '1', limit: '10' };
const inProject = (name: NameOf) => ({ project_id: name(project) });

export const samples: FeatureSamples = {
  records: [],
  requests: {
    'slice_models.usage': (name) => ({ params: { ...inProject(name), id: name(sliceModel) }, query }),
    'document_models.usage': (name) => ({ params: { ...inProject(name), id: name(documentModel) }, query }),
  },
};
