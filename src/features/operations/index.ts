import type { Feature } from '../feature.ts';
import { jobs } from './jobs.ts';
import { NOT_READY, routes } from './routes.ts';

/** Health, metrics, the API's own description, and housekeeping. */
export const operations: Feature = { name: 'operations', routes, jobs, errors: [NOT_READY] };
