import type { EmbeddedForm } from '../../src/features/forms/embed/page-data.ts';
import { isRecord } from '../is-record.ts';

type Definition = EmbeddedForm['formBuilderOptions'];

/**
 * The name of the question that the page adds: to a form without one (docs/specification/forms.md#embedding),
 * or beside its own.
 */
export function addedEmailQuestion(emailQuestion: string | null): string {
  return emailQuestion === null ? 'email_address' : 'tessera_email_address';
}

/**
 * Settings of a definition that would act beside the form: read choices from a foreign address (the question is shown
 * with its own `choices`, if any), lead the visitor elsewhere past the post-submit actions, write cookies, or talk to the
 * library maker's retired service.
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
  if (Array.isArray(value)) return value.map(withoutWithheld);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !withheld.has(key));
  return Object.fromEntries(kept.map(([key, child]) => [key, withoutWithheld(child)]));
}

/** True if every visitor sees the page, and so the questions on it. */
function isAlwaysVisible(page: Definition): boolean {
  return page.visible !== false && !page.visibleIf;
}

/** The page and panels around a question and the question itself; null when it is in none of these. */
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
 * The condition under which the form's own email question is hidden; null when it never is. What is inside a choice
 * counts as always hidden.
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

/** Adds a question for the visitor's address, shown under `condition`. */
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
    // An address that was given before the form's own question appeared must not be taken instead of that.
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
 * The definition as the page shows it: without what is withheld, and with an email question in any case.
 *
 * @param emailTitle title of the question, where the page adds it
 */
export function prepareDefinition(
  form: Pick<EmbeddedForm, 'formBuilderOptions' | 'email_question'>,
  emailTitle: string,
): Definition {
  const cleaned = withoutWithheld(form.formBuilderOptions);
  const definition = isRecord(cleaned) ? cleaned : {};
  const { email_question } = form;
  const hiddenIf = email_question === null ? null : findHiddenIf(definition, email_question);
  const isAsked = email_question !== null && hiddenIf === null;
  if (isAsked) return definition;
  const added = { name: addedEmailQuestion(email_question), title: emailTitle, condition: hiddenIf };
  return withEmailQuestion(definition, added);
}
