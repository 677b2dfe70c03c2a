import type { Feature } from '../../feature.ts';
import { outboxRetention } from './retention.ts';
import { routes } from './routes.ts';

/** The operator's view of mail that was captured instead of sent. */
export const outbox: Feature = { name: 'outbox', routes, retentions: [outboxRetention] };
