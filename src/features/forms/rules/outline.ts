/** A form flattened: its pages, panels and questions, and the keys an answers object may have. */

import { COMMENT_SUFFIX, type FormDefinition, Part, TOTAL_SUFFIX } from './definition.ts';
import { elementTypeOf } from './elements/index.ts';
import { panel } from './elements/panel.ts';

/** A page, panel or question. It comes after the page or panel it is in. */
export interface OutlineNode {
  readonly element: Part;
  readonly isQuestion: boolean;
  /** Its index. */
  readonly at: number;
  /** Indexes of the pages and panels around it, the innermost last. */
  readonly within: readonly number[];
  /** Number of its page. */
  readonly page: number;
}

/**
 * What a key of the answers is: a question's answer, the comment beside one, a value the form computes (accepted, then
 * computed again), or a value that a trigger sets beside the questions.
 */
export type KeyKind = 'answer' | 'comment' | 'computed' | 'extra';

/** The outline of a form. */
export interface Outline {
  readonly form: Part;
  /** In the order of the form; questions inside of choices follow the question with the choices. */
  readonly nodes: readonly OutlineNode[];
  /** Those nodes that may have an answer. */
  readonly questions: readonly OutlineNode[];
  readonly keys: ReadonlyMap<string, KeyKind>;
}

/** Flattens a definition that `checkDefinition` found readable. */
export function outlineForm(definition: FormDefinition): Outline {
  const form = new Part(definition);
  const nodes: OutlineNode[] = [];
  const add = (element: Part, within: readonly number[], page: number): void => {
    // A page is a panel, whatever it says itself.
    const { role, inChoices } = within.length === 0 ? panel : elementTypeOf(element);
    if (role === 'display') return;
    const isQuestion = role !== 'panel';
    const at = nodes.length;
    nodes.push({ element, isQuestion, at, within, page });
    const inside = isQuestion ? (inChoices?.(element) ?? []) : element.children;
    for (const child of inside) add(child, isQuestion ? within : [...within, at], page);
  };
  for (const [page, element] of form.parts('pages').entries()) add(element, [], page);
  const questions = nodes.filter((node) => node.isQuestion);
  return { form, nodes, questions, keys: collectKeys(form, questions) };
}

/** Whether the form computes the answer of an element. */
export function isComputed(element: Part): boolean {
  return elementTypeOf(element).role === 'computed';
}

function collectKeys(form: Part, questions: readonly OutlineNode[]): Map<string, KeyKind> {
  const keys = new Map<string, KeyKind>();
  for (const trigger of form.parts('triggers')) {
    const target = trigger.text('setToName');
    if (target !== undefined && !trigger.flag('isVariable')) keys.set(target, 'extra');
  }
  for (const value of form.parts('calculatedValues')) {
    if (value.flag('includeIntoResult')) keys.set(value.name, 'computed');
  }
  for (const { element } of questions) {
    if (elementTypeOf(element).hasTotals) keys.set(`${element.key}${TOTAL_SUFFIX}`, 'computed');
    const hasComment =
      element.flag('showCommentArea', 'hasComment') || element.flag('showOtherItem', 'hasOther');
    if (hasComment) keys.set(`${element.key}${COMMENT_SUFFIX}`, 'comment');
  }
  for (const { element } of questions) keys.set(element.key, isComputed(element) ? 'computed' : 'answer');
  return keys;
}
