import type { Feature } from '../feature.ts';
import { FORM_NOT_FOUND } from './errors.ts';
import { routes } from './routes.ts';

export { FORM_NOT_FOUND } from './errors.ts';
export { checkAnswers } from './form-checks.ts';
export { originsOf } from './origins.ts';
export {
  countUp,
  type EmbeddedForm,
  type FormForSubmission,
  type FormIdentity,
  type FormOfPage,
  findEmbeddedForm,
  findFormByCode,
  findFormOfPage,
  findTenantOfPublicCode,
  SUBMISSION_TOTALS,
} from './queries.ts';
export { findEmailQuestion } from './rules/email-question.ts';
export { PostSubmitAction, type PostSubmitActionJson } from './schema.ts';

/** Forms, and the engine that checks answers to them. */
export const forms: Feature = { name: 'forms', routes, errors: [FORM_NOT_FOUND] };
