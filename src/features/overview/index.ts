import { hourlyCountRetention } from '../../overview/hourly-counts.ts';
import type { OverviewPart } from '../../overview/overview-part.ts';
import type { Feature } from '../feature.ts';
import { overviewRoutes } from './routes.ts';

/** Creates the feature for what these features contribute to the overview. */
export function overview(parts: readonly OverviewPart[]): Feature {
  return {
    name: 'overview',
    tags: { Overview: 'What needs attention, what runs now, and figures of today.' },
    routes: overviewRoutes(parts),
    retentions: [hourlyCountRetention],
  };
}
