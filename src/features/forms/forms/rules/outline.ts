/** A form as a flat list of its pages, panels and questions. */

import { COMMENT_SUFFIX, type FormDefinition, Part } from './definition.ts';
import { elementTypeOf } from './elements/index.ts';

/** A page, panel or question. It follows the page or panel that contains it. */
export interface OutlineNode {
  readonly element: Part;
  readonly name: string;
  /** Key of its answer and of the comment on it. */
  readonly key: string;
  readonly commentKey: string;
  readonly isQuestion: boolean;
  /** Its index. */
  readonly at: number;
  /** Indexes of the pages and panels around it, the innermost last. */
  readonly within: readonly number[];
  /** Number of its page. */
  readonly page: number;
}

/** The outline of a form. */
export interface Outline {
  readonly form: Part;
  /** In the order of the form; questions of choices follow the question with the choices. */
  readonly nodes: readonly OutlineNode[];
  /** Nodes that can have an answer. */
  readonly questions: readonly OutlineNode[];
}

/** Flattens a definition that has passed `checkDefinition`. */
export function outlineForm(definition: FormDefinition): Outline {
  const form = new Part(definition);
  const nodes: OutlineNode[] = [];
  const add = (element: Part, within: readonly number[], page: number): void => {
    const { role, inChoices } = elementTypeOf(element);
    // A page is always a panel, whatever its type.
    const isQuestion = within.length > 0 && role !== 'panel';
    if (isQuestion && role === 'display') return;
    const at = nodes.length;
    const { name, key } = element;
    nodes.push({ element, name, key, commentKey: `${key}${COMMENT_SUFFIX}`, isQuestion, at, within, page });
    const inside = isQuestion ? (inChoices?.(element) ?? []) : element.children;
    for (const child of inside) add(child, isQuestion ? within : [...within, at], page);
  };
  for (const [page, element] of form.parts('pages').entries()) add(element, [], page);
  return { form, nodes, questions: nodes.filter(({ isQuestion }) => isQuestion) };
}

/** Returns true if the form computes the answer of an element. */
export function isComputed(element: Part): boolean {
  return elementTypeOf(element).role === 'computed';
}
