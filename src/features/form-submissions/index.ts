import type { Feature } from '../feature.ts';
import { INVALID_SUBMISSION } from './errors.ts';
import { routes } from './routes.ts';

export { INVALID_SUBMISSION } from './errors.ts';
export { RespondentAddress } from './schema.ts';
export { type CheckedSubmission, checkSubmission, storeSubmission } from './service.ts';

/** What visitors submit. */
export const formSubmissions: Feature = { name: 'form-submissions', routes, errors: [INVALID_SUBMISSION] };
