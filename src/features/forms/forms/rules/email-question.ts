import type { FormDefinition } from './definition.ts';
import { type OutlineNode, outlineForm } from './outline.ts';

/** Question names that mean the visitor's address if no question has the input type `email`. */
const ADDRESS_NAMES: readonly string[] = ['email', 'email_address'];

/**
 * Returns the name of the question for the visitor's address (docs/specification/forms.md#embedding): the one in the
 * form's `email_question`, by name or `valueName`, if it exists. Otherwise the first question with `inputType: email`
 * or named `email` or `email_address`, else null. Questions in panels count; those repeated in matrices and panels do
 * not.
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
