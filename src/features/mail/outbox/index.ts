import type { Feature } from '../../feature.ts';
import { outboxRetention } from './retention.ts';
import { routes } from './routes.ts';

/** What an operator sees of the mail that was captured instead of being sent. */
export const outbox: Feature = { name: 'outbox', routes, retentions: [outboxRetention] };
