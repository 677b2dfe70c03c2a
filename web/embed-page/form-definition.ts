import type { EmbeddedForm } from '../../src/features/embed/page-data.ts';
import { isRecord } from '../embed-protocol.ts';

type Definition = EmbeddedForm['formBuilderOptions'];

/** The e-mail question that a form without one gets (decisions section 7). */
export const addedEmailQuestion = 'email_address';

/**
 * Settings of a definition that would act beside the form: read choices from a foreign address, lead the visitor
 * elsewhere past the post-submit actions, write cookies, or talk to the library maker's retired service.
 */
const withheld: ReadonlySet<string> = new Set([
  'choicesByUrl',
  'navigateToUrl',
  'navigateToUrlOnCondition',
  'cookieName',
  'surveyId',
  'surveyPostId',
]);

function withoutWithheld(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutWithheld);
  }
  if (!isRecord(value)) {
    return value;
  }
  const kept = Object.entries(value).filter(([key]) => !withheld.has(key));
  return Object.fromEntries(kept.map(([key, child]) => [key, withoutWithheld(child)]));
}

/** Whether every visitor sees the page, so that a question on it reaches them all. */
function isAlwaysVisible(page: Definition): boolean {
  return page.visible !== false && !page.visibleIf;
}

function withEmailQuestion(definition: Definition): Definition {
  const question = {
    type: 'text',
    name: addedEmailQuestion,
    title: 'E-mail address',
    inputType: 'email',
    autocomplete: 'email',
    isRequired: true,
  };
  const pages: readonly unknown[] = Array.isArray(definition.pages) ? definition.pages : [];
  const last = pages.at(-1);
  if (!isRecord(last) || !Array.isArray(last.elements) || !isAlwaysVisible(last)) {
    return { ...definition, pages: [...pages, { elements: [question] }] };
  }
  return {
    ...definition,
    pages: [...pages.slice(0, -1), { ...last, elements: [...last.elements, question] }],
  };
}

/** The definition as the page shows it: without what is withheld, and with an e-mail question in any case. */
export function prepareDefinition(
  form: Pick<EmbeddedForm, 'formBuilderOptions' | 'email_question'>,
): Definition {
  const cleaned = withoutWithheld(form.formBuilderOptions);
  const definition = isRecord(cleaned) ? cleaned : {};
  return form.email_question === null ? withEmailQuestion(definition) : definition;
}
