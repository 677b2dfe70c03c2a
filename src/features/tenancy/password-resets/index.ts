import type { Feature } from '../../feature.ts';
import { examples } from './examples.ts';
import { sendResetMail } from './jobs.ts';
import { routes } from './routes.ts';

export { requestReset } from './request.ts';

/** Password resets by a link in a mail. */
export const passwordResets: Feature = { name: 'password-resets', examples, routes, jobs: [sendResetMail] };
