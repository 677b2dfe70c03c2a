import type { Feature } from '../../feature.ts';
import { DEFAULT_BUSINESS_UNIT, DUPLICATE_SLUG } from './errors.ts';
import { examples } from './examples.ts';
import { routes } from './routes.ts';

export { countActiveUnits, findUnitId, getDefaultUnitId, listActiveUnitIds } from './queries.ts';
export { createDefaultUnit } from './service.ts';

/** Business units, the caller's own memberships and the choice of the Active unit. */
export const businessUnits: Feature = {
  name: 'business-units',
  examples,
  tags: { 'Business units': 'Parts of a tenant that own records, and the unit that a request acts in.' },
  routes,
  errors: [DEFAULT_BUSINESS_UNIT, DUPLICATE_SLUG],
};
