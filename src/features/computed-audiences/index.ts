import type { Feature } from '../feature.ts';
import { audienceChanges, changeRetention } from './changes.ts';
import { audienceComputations } from './computations.ts';
import { reference } from './reference.ts';
import { routes } from './routes.ts';
import { sweepEngagement } from './sweep.ts';

export { findUnmetConditions } from './evaluation.ts';
export { type AudienceFilters, compileFilters, readAudienceFilters } from './filters.ts';

/** Audiences, whose members filters may compute. */
export const computedAudiences: Feature = {
  name: 'computed-audiences',
  reference,
  routes,
  jobs: [sweepEngagement],
  retentions: [changeRetention],
  ledgers: [audienceChanges, audienceComputations],
};
