import { searchOf } from '../../../resources/record-search.ts';
import type { Feature } from '../../feature.ts';
import { submissionBulk } from './bulk.ts';
import { INVALID_SUBMISSION } from './errors.ts';
import { examples } from './examples.ts';
import { eraseExpiredSubmissions } from './jobs.ts';
import { submissionReport } from './report.ts';
import { submissions } from './resource.ts';
import { routes } from './routes.ts';
import { submissionTimeline } from './timeline.ts';

export { INVALID_SUBMISSION } from './errors.ts';
export {
  type SubmissionContext,
  type SubmissionListener,
  type SubscriberSubmission,
  submissionListeners,
} from './listeners.ts';
export { SubmissionInput } from './schema.ts';
export { asSuspicious, type CheckedSubmission, checkSubmission, storeSubmission } from './service.ts';

/** Submissions of forms. */
export const formSubmissions: Feature = {
  name: 'form-submissions',
  examples,
  routes,
  bulks: [submissionBulk],
  searches: [
    searchOf(submissions, { title: ['form_name'], subtitle: 'email_address', address: 'email_address' }),
  ],
  jobs: [eraseExpiredSubmissions],
  reports: [submissionReport],
  timelines: [submissionTimeline],
  errors: [INVALID_SUBMISSION],
};
