import type { Feature } from '../../feature.ts';
import { audiences } from '../subscriber-groups/index.ts';
import { audienceChanges, changeRetention } from './change-queue.ts';
import { audienceComputations } from './computation-queue.ts';
import { examples } from './examples.ts';
import { routes } from './routes.ts';
import { sweepEngagement } from './sweep.ts';

export { type AudienceFilters, flatFiltersOf } from './condition-groups.ts';
export { findUnmetConditions } from './evaluation.ts';
export { compileFilters, readAudienceFilters } from './filters.ts';

/** Audiences, whose members can be computed from filters. */
export const computedAudiences: Feature = {
  name: 'computed-audiences',
  examples,
  routes,
  restores: [
    {
      resource: audiences,
      createdBy: 'audiences.create',
      notRestored: 'An audience without filters is empty: its members are not part of history.',
    },
  ],
  jobs: [sweepEngagement],
  retentions: [changeRetention],
  workQueues: [audienceChanges, audienceComputations],
};
