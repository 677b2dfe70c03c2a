import { LLM_PROVIDER_ERROR } from '../../../model-provider/errors.ts';
import { searchOf } from '../../../resources/record-search.ts';
import type { Feature } from '../../feature.ts';
import { DUPLICATE_INDEX } from './errors.ts';
import { examples } from './examples.ts';
import { enqueueOutdated, recomputeVectors, removeItems, sweepModels } from './jobs.ts';
import { indexes } from './resource.ts';
import { routes } from './routes.ts';

export { findInIndexes, type KnowledgeItem, requireKnowledge } from './service.ts';

/** Vector indexes: texts that assistants and queries find by similarity. */
export const aiIndexes: Feature = {
  name: 'ai-indexes',
  examples,
  routes,
  searches: [searchOf(indexes)],
  restores: [
    {
      resource: indexes,
      createdBy: 'ai_indexes.create',
      notRestored: 'The index is empty: upsert its texts again.',
    },
  ],
  errors: [DUPLICATE_INDEX, LLM_PROVIDER_ERROR],
  jobs: [removeItems, recomputeVectors, sweepModels],
  start: (platform) =>
    // The process starts even if some tenants are unavailable; the hourly job tries again.
    enqueueOutdated(platform).catch((error: unknown) =>
      platform.observe({ event: 'background.failed', task: 'find vectors of another model', error }),
    ),
};
