import type { Feature } from '../feature.ts';
import { removeOldMessages } from './jobs.ts';
import { routes } from './routes.ts';

/** What an operator sees of the mail that was captured instead of being sent. */
export const outbox: Feature = { name: 'outbox', routes, jobs: [removeOldMessages] };
