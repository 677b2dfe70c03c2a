import type { Feature } from '../../feature.ts';
import { sendResetMail } from './jobs.ts';
import { reference } from './reference.ts';
import { routes } from './routes.ts';

/** Password resets by a link in a mail. */
export const passwordResets: Feature = { name: 'password-resets', reference, routes, jobs: [sendResetMail] };
