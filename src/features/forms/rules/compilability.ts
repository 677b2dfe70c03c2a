/** Decides which forms the compiled rules express; everything else is left to survey-core's full model. */

import {
  elementName,
  type FormDefinition,
  isObject,
  type JsonObject,
  read,
  readFlag,
  readList,
  readObjects,
  readText,
} from './definition.ts';
import type { FormOutline, OutlineQuestion } from './form-outline.ts';
import { NotCompilableError } from './not-compilable-error.ts';

const COMPILED_TYPES: ReadonlySet<string> = new Set(
  (
    'text comment dropdown radiogroup buttongroup checkbox tagbox imagepicker ranking rating boolean multipletext ' +
    'expression'
  ).split(' '),
);

/** Throws NotCompilableError, naming the first reason, when a form needs the full model. */
export function requireCompilable(definition: FormDefinition, outline: FormOutline): void {
  for (const trigger of readObjects(definition, 'triggers')) {
    if ((readText(trigger, 'type') ?? '').startsWith('visible'))
      throw new NotCompilableError('a visible trigger');
  }
  for (const question of outline.questions) {
    const reason = findReason(question);
    if (reason !== null) throw new NotCompilableError(`${reason} in "${question.name}"`);
  }
  requireDistinctNames(definition, outline);
}

/** The lower-case names that expressions can read: answers, computed values, items of multiple-text questions. */
export function knownNames(definition: FormDefinition, outline: FormOutline): Set<string> {
  const names = outline.questions.map(({ key }) => key);
  const items = outline.questions
    .filter(({ type }) => type === 'multipletext')
    .flatMap(({ element, key }) =>
      readObjects(element, 'items').map((item) => `${key}.${elementName(item)}`),
    );
  const calculated = readObjects(definition, 'calculatedValues').map(elementName);
  return new Set([...names, ...items, ...calculated].map((name) => name.toLowerCase()));
}

/** Expressions find values without regard to case; two of one name would need survey-core's order of search. */
function requireDistinctNames(definition: FormDefinition, outline: FormOutline): void {
  const seen = new Set<string>();
  const keys = outline.questions.map(({ key }) => key);
  for (const name of [...keys, ...readObjects(definition, 'calculatedValues').map(elementName)]) {
    if (seen.has(name.toLowerCase())) throw new NotCompilableError(`two values are named "${name}"`);
    seen.add(name.toLowerCase());
  }
}

function findReason({ element, key, name, type }: OutlineQuestion): string | null {
  if (!COMPILED_TYPES.has(type)) return `type ${type}`;
  // survey-core finds a question by its valueName in expressions, but some of its properties by name.
  if (key !== name && read(element, 'choicesByUrl') !== undefined) return 'valueName with choicesByUrl';
  for (const property of ['choicesFromQuestion', 'valuePropertyName', 'bindings']) {
    if (read(element, property) !== undefined) return property;
  }
  if (readFlag(element, 'hideIfChoicesEmpty')) return 'hideIfChoicesEmpty';
  if (type === 'multipletext' && readObjects(element, 'items').some(savesMask)) return 'saveMaskedValue';
  if (savesMask(element)) return 'saveMaskedValue';
  if (readList(element, 'choices').some(isRichChoice)) return 'a choice with parts of its own';
  if (readObjects(element, 'rateValues').some((rate) => read(rate, 'visibleIf') !== undefined))
    return 'rateValues';
  return null;
}

function savesMask(element: JsonObject): boolean {
  const settings = read(element, 'maskSettings');
  return isObject(settings) && readFlag(settings, 'saveMaskedValue');
}

function isRichChoice(choice: unknown): boolean {
  return isObject(choice) && (readList(choice, 'elements').length > 0 || readFlag(choice, 'showCommentArea'));
}
