/** Visits everything in a form definition that survey-core reads as an object of its own, with its path. */

import { Serializer } from 'survey-core';
import { type FormDefinition, isObject, Part } from './definition.ts';
import { elementTypeOf } from './elements/index.ts';

/** One object of a definition. */
export interface DefinitionNode {
  readonly part: Part;
  /** Such as `formBuilderOptions.pages[0].elements[2]`. */
  readonly path: string;
  /** What it stands for in the form. */
  readonly role: string;
  /** Levels of elements around it. */
  readonly depth: number;
  /** Names within one scope must differ; the form's questions share one, each repeated panel or matrix has its own. */
  readonly scope: object;
}

/** An array property that survey-core reads as objects, whatever has it: another type would break its reader. */
interface ObjectList {
  readonly role: string;
  /** Whether its entries' names are a scope of their own. */
  readonly hasScope?: boolean;
  /** Whether plain values may stand among its entries. */
  readonly takesValues?: boolean;
}

/** By the property's name. */
export const OBJECT_LISTS: Readonly<Record<string, ObjectList>> = {
  pages: { role: 'page' },
  elements: { role: 'element' },
  questions: { role: 'element' },
  templateElements: { role: 'element', hasScope: true },
  detailElements: { role: 'element', hasScope: true },
  columns: { role: 'column', hasScope: true, takesValues: true },
  items: { role: 'item', hasScope: true },
  choices: { role: 'choice', takesValues: true },
  rateValues: { role: 'choice', takesValues: true },
  rows: { role: 'choice', takesValues: true },
  validators: { role: 'validator' },
  triggers: { role: 'trigger' },
  calculatedValues: { role: 'calculated value' },
  completedHtmlOnCondition: { role: 'condition' },
  navigateToUrlOnCondition: { role: 'condition' },
};

/** Walks a definition depth first, in order. Stops descending where `visit` returns false. */
export function walkDefinition(
  definition: FormDefinition,
  path: string,
  visit: (node: DefinitionNode) => boolean,
): void {
  const walk = (node: DefinitionNode): void => {
    if (!visit(node)) return;
    const depth = node.depth + (node.role === 'element' ? 1 : 0);
    for (const [property, { role, hasScope = false }] of Object.entries(OBJECT_LISTS)) {
      if (isPlainList(node, property)) continue;
      const scope = hasScope ? {} : node.scope;
      for (const [index, entry] of node.part.list(property).entries()) {
        if (!isObject(entry)) continue;
        walk({ part: new Part(entry), path: `${node.path}.${property}[${index}]`, role, depth, scope });
      }
    }
  };
  walk({ part: new Part(definition), path, role: 'survey', depth: 0, scope: {} });
}

/** A form's own `elements` are not read beside its pages. */
function isPlainList({ role, part }: DefinitionNode, property: string): boolean {
  if (role === 'survey') return property === 'elements' || property === 'questions';
  return role === 'element' && elementTypeOf(part).plainLists?.includes(property) === true;
}

/** The properties that hold expressions in some class of survey-core; none of these names means something else in another. */
const EXPRESSION_PROPERTIES = new Set(
  Serializer.getAllClasses()
    .flatMap((name) => Serializer.getProperties(name))
    .filter(({ type }) => type === 'expression' || type === 'condition')
    .map(({ name }) => name),
);

/**
 * The expressions of one object of a definition by their property, as the caller wrote them, which may be of any type; those
 * in `min` and `max` without their leading `=`.
 */
export function expressionsOf({ part, role }: DefinitionNode): [property: string, text: unknown][] {
  const places: [string, unknown][] = [];
  for (const property of EXPRESSION_PROPERTIES) {
    const text = part.read(property) ?? '';
    if (text !== '') places.push([property, text]);
  }
  for (const property of role === 'choice' ? [] : ['min', 'max']) {
    const text = part.text(property);
    if (text?.startsWith('=')) places.push([property, text.slice(1)]);
  }
  return places;
}
