import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { type FormForSubmission, getDefinition } from './queries.ts';
import { isObject, type Part } from './rules/definition.ts';
import { outlineForm } from './rules/outline.ts';

/** Returns the titles of a form's questions by answer name, in the order of the form. */
export async function getQuestionTitles(
  db: ScopedDb,
  form: FormForSubmission,
): Promise<ReadonlyMap<string, string>> {
  const { questions } = outlineForm(await getDefinition(db, form));
  return new Map(questions.map(({ element, key, name }) => [key, titleOf(element) ?? name]));
}

/** Returns the names of all answers of a form in its order, including those of comments. */
export async function questionKeys(db: ScopedDb, form: FormForSubmission): Promise<readonly string[]> {
  const { questions } = outlineForm(await getDefinition(db, form));
  return questions.flatMap(({ key, commentKey }) => [key, commentKey]);
}

/** Returns the title; for a translated title the default one. */
function titleOf(element: Part): string | undefined {
  const title = element.read('title');
  const text = isObject(title) ? (title.default ?? Object.values(title)[0]) : title;
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}
