import type { Feature } from '../../feature.ts';
import { reference } from './reference.ts';
import { routes } from './routes.ts';

/** Acceptance of invitations by a link in a mail. */
export const invitations: Feature = { name: 'invitations', reference, routes };
