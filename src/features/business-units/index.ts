import type { Feature } from '../feature.ts';
import { DEFAULT_BUSINESS_UNIT, DUPLICATE_SLUG } from './errors.ts';
import { routes } from './routes.ts';

export { createDefaultUnit } from './default-unit.ts';
export { listActiveUnitIds } from './queries.ts';

/** Business units, the caller's own memberships and the choice of the Active unit. */
export const businessUnits: Feature = {
  name: 'business-units',
  routes,
  errors: [DEFAULT_BUSINESS_UNIT, DUPLICATE_SLUG],
};
