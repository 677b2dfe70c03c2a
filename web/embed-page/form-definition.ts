import type { EmbeddedForm } from '../../src/features/forms/embed/page-data.ts';
import { isRecord } from '../is-record.ts';

type Definition = EmbeddedForm['formBuilderOptions'];

/**
 * Returns the name of the email question that the page adds (docs/specification/forms.md#embedding). It must differ
 * from the form's own email question, if the form has one.
 */
export function addedEmailQuestion(emailQuestion: string | null): string {
  return emailQuestion === null ? 'email_address' : 'tessera_email_address';
}

/**
 * Removed settings, which have effects outside the form: choices from another URL (the question shows its `choices`
 * instead), redirects that bypass the post-submit actions, cookies, and SurveyJS's retired service.
 */
const removedSettings: ReadonlySet<string> = new Set([
  'choicesByUrl',
  'navigateToUrl',
  'navigateToUrlOnCondition',
  'cookieName',
  'surveyId',
  'surveyPostId',
]);

function withoutRemovedSettings(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRemovedSettings);
  if (!isRecord(value)) return value;
  const remaining = Object.entries(value).filter(([key]) => !removedSettings.has(key));
  return Object.fromEntries(remaining.map(([key, child]) => [key, withoutRemovedSettings(child)]));
}

/** True if the page is visible to every visitor. */
function isAlwaysVisible(page: Definition): boolean {
  return page.visible !== false && !page.visibleIf;
}

/** Returns the panels around a question and the question itself; null if they do not contain it. */
function findPath(elements: unknown, name: string): Definition[] | null {
  for (const element of Array.isArray(elements) ? elements.filter(isRecord) : []) {
    if (typeof element.name === 'string' && element.name.trim() === name && element.type !== 'panel')
      return [element];
    const path = element.type === 'panel' ? findPath(childrenOf(element), name) : null;
    if (path !== null) return [element, ...path];
  }
  return null;
}

function childrenOf(container: Definition): unknown {
  return container.elements ?? container.questions;
}

/**
 * Returns the condition under which the form's own email question is hidden; null if it is always visible. A question
 * nested in a choice counts as always hidden.
 */
function findHiddenIf(definition: Definition, emailQuestion: string): string | null {
  const pages = Array.isArray(definition.pages) ? definition.pages.filter(isRecord) : [];
  const [path] = pages.flatMap((page) => {
    const inPage = findPath(childrenOf(page), emailQuestion);
    return inPage === null ? [] : [[page, ...inPage]];
  });
  if (path === undefined) return 'true';
  const hidden = path.map(({ visible, visibleIf }) => {
    if (typeof visibleIf === 'string' && visibleIf !== '') return `!(${visibleIf})`;
    return visible === false ? 'true' : null;
  });
  const conditions = hidden.filter((condition) => condition !== null);
  return conditions.length === 0 ? null : conditions.join(' or ');
}

/** Adds a question for the visitor's email address, visible under `condition`. */
function withEmailQuestion(
  definition: Definition,
  { name, title, condition }: { name: string; title: string; condition: string | null },
): Definition {
  const question = {
    type: 'text',
    name,
    title,
    inputType: 'email',
    autocomplete: 'email',
    isRequired: true,
    // An address entered before the form's own question appeared must not replace that question's answer.
    ...(condition !== null && { visibleIf: condition, clearIfInvisible: 'onComplete' }),
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

/**
 * Returns the definition for the page: without removed settings, and always with an email question.
 *
 * @param emailTitle title of the question if the page adds it
 */
export function prepareDefinition(
  form: Pick<EmbeddedForm, 'formBuilderOptions' | 'email_question'>,
  emailTitle: string,
): Definition {
  const cleaned = withoutRemovedSettings(form.formBuilderOptions);
  const definition = isRecord(cleaned) ? cleaned : {};
  const { email_question } = form;
  const hiddenIf = email_question === null ? null : findHiddenIf(definition, email_question);
  const isAlwaysAsked = email_question !== null && hiddenIf === null;
  if (isAlwaysAsked) return definition;
  const added = { name: addedEmailQuestion(email_question), title: emailTitle, condition: hiddenIf };
  return withEmailQuestion(definition, added);
}
