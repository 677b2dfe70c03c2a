import { elementType, type FormDefinition, readText } from './definition.ts';
import { outlineForm } from './form-outline.ts';

/** Names that stand for the respondent's address when no question has the input type `email`. */
const ADDRESS_NAMES: ReadonlySet<string> = new Set(['email', 'email_address']);

/**
 * The name of the question for the respondent's address (decisions, section 7): the one that the form's
 * `email_question` names, by its name or `valueName`, if there is one, else the first question with `inputType: email` or named `email` or
 * `email_address`, else null. Questions in panels count, those repeated in matrices and panels do not.
 */
export function findEmailQuestion(definition: FormDefinition, emailQuestion?: string): string | null {
  const { questions } = outlineForm(definition);
  const named = questions.find(({ name, key }) => name === emailQuestion || key === emailQuestion);
  if (named !== undefined) return named.name;
  const first = questions.find(
    ({ element, name }) =>
      (elementType(element) === 'text' && readText(element, 'inputType')?.toLowerCase() === 'email') ||
      ADDRESS_NAMES.has(name),
  );
  return first?.name ?? null;
}
