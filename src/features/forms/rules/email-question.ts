import { answerKey, elementType, type FormDefinition, readText } from './definition.ts';
import { outlineForm } from './form-outline.ts';

/** Names that stand for the respondent's address when no question has the input type `email`. */
const ADDRESS_NAMES: ReadonlySet<string> = new Set(['email', 'email_address']);

/**
 * The key of the answer that holds the respondent's address (decisions, section 7): of the question that the form's
 * `email_question` names if there is one, else of the first question with `inputType: email` or named `email` or
 * `email_address`, else null. Questions in panels count, those repeated in matrices and panels do not.
 */
export function findEmailQuestion(definition: FormDefinition, emailQuestion?: string): string | null {
  const { questions } = outlineForm(definition);
  const named = questions.find(({ name, key }) => name === emailQuestion || key === emailQuestion);
  if (named !== undefined) return named.key;
  const first = questions.find(
    ({ element, name }) =>
      (elementType(element) === 'text' && readText(element, 'inputType')?.toLowerCase() === 'email') ||
      ADDRESS_NAMES.has(name),
  );
  return first === undefined ? null : answerKey(first.element);
}
