/** Creates a subscriber from a submission (docs/specification/subscribers.md#from-forms). */
import { localPartOf } from '../../../mail/address.ts';
import type { signUps } from '../../contacts/api.ts';
import type { FormForSubmission, SubscriberMapping } from '../forms/index.ts';
import type { SubmissionRecord } from './resource.ts';

/** Maximum length of a subscriber's name. */
const MAX_NAME = 200;

/** Returns the sign-up that a form's mapping describes. It never fails: a missing name is replaced. */
export function signUpOf(
  form: FormForSubmission,
  mapping: SubscriberMapping,
  { email_address: email, form_data: answers }: SubmissionRecord,
): signUps.SignUp {
  const { lists = [], audiences = [], subscription_type_ids: subscriptionTypeIds = [] } = mapping;
  const confirmation = { templateId: mapping.double_opt_in_template_id ?? null };
  return {
    ...{ formCode: form.code, ownerBuId: form.owner_bu_id, email },
    firstName: nameFrom(answers, mapping.first_name) ?? localPartOf(email),
    lastName: nameFrom(answers, mapping.last_name),
    ...{ lists, audiences, subscriptionTypeIds },
    confirmation: mapping.double_opt_in === true ? confirmation : null,
  };
}

/** Returns the answer to a question as one line if it is a text or number; otherwise null. */
function nameFrom(answers: Readonly<Record<string, unknown>>, question: string | undefined): string | null {
  const answer = question !== undefined && Object.hasOwn(answers, question) ? answers[question] : undefined;
  if (typeof answer !== 'string' && typeof answer !== 'number') return null;
  const name = String(answer).replaceAll(/\s+/g, ' ').trim().slice(0, MAX_NAME).toWellFormed();
  return name === '' ? null : name;
}
