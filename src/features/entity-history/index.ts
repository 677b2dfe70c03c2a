import type { Feature } from '../feature.ts';
import { reference } from './reference.ts';
import { routes } from './routes.ts';

/** The versions of records and the records that were deleted. */
export const entityHistory: Feature = { name: 'entity-history', reference, routes };
