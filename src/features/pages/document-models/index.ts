import { searchOf } from '../../../resources/record-search.ts';
import type { Feature } from '../../feature.ts';
import { contents } from './contents.ts';
import { examples } from './examples.ts';
import { documentModels as documentModelRecords } from './resource.ts';
import { routes } from './routes.ts';

export { allowedSlicesIn } from './allowed-slices.ts';
export {
  findDocumentModel,
  lockDocumentModel,
  type ModelInfo,
  unlinkableModels,
} from './model-info.ts';
export { ContentId, definitionFaults, fieldTypeFaults } from './schema.ts';

/** Document models: definitions of the documents of a project. */
export const documentModels: Feature = {
  name: 'document-models',
  examples,
  tags: {
    'Pages: models': 'Content models: document models and slice models.',
  },
  routes,
  searches: [searchOf(documentModelRecords)],
  restores: [{ resource: documentModelRecords, createdBy: 'document_models.put' }],
  projectContents: [contents],
};
