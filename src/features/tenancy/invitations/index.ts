import type { Feature } from '../../feature.ts';
import { examples } from './examples.ts';
import { routes } from './routes.ts';

/** Acceptance of invitations by a link in a mail. */
export const invitations: Feature = { name: 'invitations', examples, routes };
