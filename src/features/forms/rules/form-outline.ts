/** A form flattened: its pages and panels, its questions, and the keys an answers object may have. */

import {
  answerKey,
  COMMENT_SUFFIX,
  childElements,
  elementName,
  elementType,
  type FormDefinition,
  isPanel,
  type JsonObject,
  readFlag,
  readObjects,
  readText,
  TOTAL_SUFFIX,
} from './definition.ts';

/** A page or panel. A container comes after the one it is in. */
export interface OutlineContainer {
  readonly element: JsonObject;
  /** Index of the enclosing container, -1 for a page. */
  readonly parent: number;
  /** Index of its page. */
  readonly page: number;
}

/** An element that is no panel, in the order of the form; those inside of choices follow their question. */
export interface OutlineQuestion {
  readonly element: JsonObject;
  readonly name: string;
  /** Key of its answer. */
  readonly key: string;
  readonly type: string;
  readonly container: number;
  readonly page: number;
}

/**
 * What a key of the answers is: a question's answer, the comment beside one, a value the form computes (accepted, then
 * computed again), or a value that a trigger sets beside the questions.
 */
export type KeyKind = 'answer' | 'comment' | 'computed' | 'extra';

export interface FormOutline {
  readonly containers: readonly OutlineContainer[];
  readonly questions: readonly OutlineQuestion[];
  readonly keys: ReadonlyMap<string, KeyKind>;
}

/** Elements that show something and have no answer. */
const DISPLAY_TYPES: ReadonlySet<string> = new Set(['html', 'image']);

/** Flattens a definition that `checkDefinition` found readable. */
export function outlineForm(definition: FormDefinition): FormOutline {
  const containers: OutlineContainer[] = [];
  const questions: OutlineQuestion[] = [];
  const visit = (container: JsonObject, parent: number, page: number): void => {
    const index = containers.push({ element: container, parent, page }) - 1;
    add(childElements(container), index, page);
  };
  const add = (elements: readonly JsonObject[], container: number, page: number): void => {
    for (const element of elements) {
      const [name, key, type] = [elementName(element), answerKey(element), elementType(element)];
      if (isPanel(element)) visit(element, container, page);
      else if (!DISPLAY_TYPES.has(type)) {
        questions.push({ element, name, key, type, container, page });
        add(elementsInChoices(element), container, page);
      }
    }
  };
  for (const [index, page] of readObjects(definition, 'pages').entries()) visit(page, -1, index);
  return { containers, questions, keys: collectKeys(definition, questions) };
}

/** Elements that are shown while their choice is selected; their answers lie beside those of all others. */
function elementsInChoices(element: JsonObject): JsonObject[] {
  const holdsElements = ['checkbox', 'radiogroup'].includes(elementType(element));
  return holdsElements ? readObjects(element, 'choices').flatMap(childElements) : [];
}

function collectKeys(
  definition: FormDefinition,
  questions: readonly OutlineQuestion[],
): Map<string, KeyKind> {
  const keys = new Map<string, KeyKind>();
  for (const trigger of readObjects(definition, 'triggers')) {
    const target = readText(trigger, 'setToName');
    if (target !== undefined && !readFlag(trigger, 'isVariable')) keys.set(target, 'extra');
  }
  for (const value of readObjects(definition, 'calculatedValues')) {
    if (readFlag(value, 'includeIntoResult')) keys.set(elementName(value), 'computed');
  }
  for (const { element, key, type } of questions) {
    if (type.startsWith('matrix')) keys.set(`${key}${TOTAL_SUFFIX}`, 'computed');
    if (hasComment(element)) keys.set(`${key}${COMMENT_SUFFIX}`, 'comment');
  }
  for (const { key, type } of questions) keys.set(key, type === 'expression' ? 'computed' : 'answer');
  return keys;
}

function hasComment(element: JsonObject): boolean {
  return readFlag(element, 'showCommentArea', 'hasComment') || readFlag(element, 'showOtherItem', 'hasOther');
}
