import type { FormDefinition } from './definition.ts';
import { type OutlineNode, outlineForm } from './outline.ts';

/** Names that stand for the respondent's address when no question has the input type `email`. */
const ADDRESS_NAMES: readonly string[] = ['email', 'email_address'];

/**
 * The name of the question for the respondent's address (docs/specification/forms.md#embedding): the one that
 * the form's `email_question` names, by its name or `valueName`, if there is one, else the first question
 * with `inputType: email` or named `email` or `email_address`, else null. Questions in panels count, those
 * repeated in matrices and panels do not.
 */
export function findEmailQuestion(definition: FormDefinition, emailQuestion?: string): string | null {
  const { questions } = outlineForm(definition);
  const named = questions.find(({ name, key }) => name === emailQuestion || key === emailQuestion);
  return (named ?? questions.find(asksForAddress))?.name ?? null;
}

function asksForAddress({ element, name }: OutlineNode): boolean {
  const isInput = element.type === 'text' && element.text('inputType')?.toLowerCase() === 'email';
  return isInput || ADDRESS_NAMES.includes(name);
}
