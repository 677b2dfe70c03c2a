import type { Feature } from '../../feature.ts';
import { examples } from './examples.ts';
import { outboxRetention } from './retention.ts';
import { routes } from './routes.ts';

/** The operator's view of mail that was captured instead of sent. */
export const outbox: Feature = { name: 'outbox', examples, routes, retentions: [outboxRetention] };
