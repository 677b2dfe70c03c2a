import { searchOf } from '../../../resources/record-search.ts';
import { groupUsage } from '../../contacts/api.ts';
import type { Feature } from '../../feature.ts';
import { FORM_NOT_FOUND } from './errors.ts';
import { examples } from './examples.ts';
import { forms as resource } from './resource.ts';
import { routes } from './routes.ts';
import { findFormsOfGroup } from './usage.ts';

export { formDeletion } from './deletion.ts';
export { FORM_NOT_FOUND } from './errors.ts';
export { checkAnswers } from './form-checks.ts';
export { formJourneys } from './journeys.ts';
export { originsOf } from './origins.ts';
export {
  countDown,
  countUp,
  type EmbeddedForm,
  type FormForSubmission,
  type FormOfPage,
  findEmbeddedForm,
  findFormByCode,
  findFormOfPage,
  formNames,
  formsWithRetention,
  lockForms,
  SUBMISSION_TOTALS,
  tenantsOfForms,
} from './queries.ts';
export { getQuestionTitles, questionKeys } from './question-titles.ts';
export { EMAIL_PATTERN } from './rules/elements/input-types.ts';
export { findEmailQuestion } from './rules/email-question.ts';
export { ADDRESS_FAULT, toIssue } from './rules/fault.ts';
export { PostSubmitAction, type PostSubmitActionJson, type SubscriberMapping } from './schema.ts';

/** Forms, and the engine that validates answers. */
export const forms: Feature = {
  name: 'forms',
  examples,
  tags: { Forms: 'Forms, themes, and submissions validated on the server.' },
  routes,
  searches: [searchOf(resource)],
  restores: [
    {
      resource,
      createdBy: 'forms.create',
      notRestored: 'Webhooks of the form are not restored. Restore each one separately.',
    },
  ],
  errors: [FORM_NOT_FOUND],
  extensions: [groupUsage.with(findFormsOfGroup)],
};
