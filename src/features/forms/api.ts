/** The functions, values and types that other areas use. */
export {
  type SubmissionContext,
  type SubmissionListener,
  type SubscriberSubmission,
  submissionListeners,
} from './form-submissions/index.ts';
export { formJourneys, lockForms } from './forms/index.ts';
