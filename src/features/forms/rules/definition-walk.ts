/** Visits everything in a form definition that survey-core reads as an object of its own, with its path. */

import { Serializer } from 'survey-core';
import { type FormDefinition, isObject, Part } from './definition.ts';
import { elementTypeOf } from './elements/index.ts';

/** What an object of a definition stands for. */
export type Role =
  | 'survey'
  | 'page'
  | 'element'
  | 'column'
  | 'item'
  | 'choice'
  | 'validator'
  | 'trigger'
  | 'calculated'
  | 'other';

/** One object of a definition. */
export interface DefinitionNode {
  readonly part: Part;
  /** Such as `formBuilderOptions.pages[0].elements[2]`. */
  readonly path: string;
  /** The survey-core classes whose properties it has, such as `text` or `expressionvalidator`. */
  readonly classes: readonly string[];
  readonly role: Role;
  /** Levels of elements around it. */
  readonly depth: number;
  /** Names within one scope must differ; the form's questions share one, each repeated panel or matrix has its own. */
  readonly scope: object;
}

/** What the entries of an array property are. */
interface Entries {
  readonly role: Role;
  readonly classes: (entry: Part) => readonly string[];
  /** Whether their names are a scope of their own. */
  readonly hasScope?: boolean;
  /** Whether plain values stand among them. */
  readonly takesValues?: boolean;
}

function entries(role: Role, ...classes: string[]): Entries {
  return { role, classes: () => classes };
}

function ofOwnType(role: Role, suffix = ''): Entries {
  return { role, classes: ({ type }) => [type.endsWith(suffix) ? type : `${type}${suffix}`] };
}

/** The array properties that survey-core reads as objects, whatever they stand in: another type would break its reader. */
export const OBJECT_LISTS: Readonly<Record<string, Entries>> = {
  pages: entries('page', 'page'),
  elements: ofOwnType('element'),
  questions: ofOwnType('element'),
  templateElements: { ...ofOwnType('element'), hasScope: true },
  detailElements: { ...ofOwnType('element'), hasScope: true },
  columns: {
    role: 'column',
    classes: (column) => ['matrixdropdowncolumn', column.text('cellType') ?? 'dropdown'],
    hasScope: true,
    takesValues: true,
  },
  items: { ...entries('item', 'multipletextitem', 'text'), hasScope: true },
  choices: { ...entries('choice', 'choiceitem'), takesValues: true },
  rateValues: { ...entries('choice', 'itemvalue'), takesValues: true },
  rows: { ...entries('choice', 'itemvalue'), takesValues: true },
  validators: ofOwnType('validator', 'validator'),
  triggers: ofOwnType('trigger', 'trigger'),
  calculatedValues: entries('calculated', 'calculatedvalue'),
  completedHtmlOnCondition: entries('other', 'htmlconditionitem'),
  navigateToUrlOnCondition: entries('other', 'urlconditionitem'),
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
    for (const [property, { role, classes, hasScope = false }] of Object.entries(OBJECT_LISTS)) {
      if (isPlainList(node, property)) continue;
      const scope = hasScope ? {} : node.scope;
      for (const [index, entry] of node.part.list(property).entries()) {
        if (!isObject(entry)) continue;
        const part = new Part(entry);
        walk({
          part,
          path: `${node.path}.${property}[${index}]`,
          classes: classes(part),
          role,
          depth,
          scope,
        });
      }
    }
  };
  const part = new Part(definition);
  walk({ part, path, classes: ['survey'], role: 'survey', depth: 0, scope: {} });
}

/** A form's own `elements` are not read beside its pages. */
function isPlainList({ role, part }: DefinitionNode, property: string): boolean {
  if (role === 'survey') return property === 'elements' || property === 'questions';
  return role === 'element' && elementTypeOf(part).plainLists?.includes(property) === true;
}

/** A place of a definition that holds an expression; `text` is what the caller wrote, which may be of any type. */
export interface ExpressionPlace {
  readonly property: string;
  readonly text: unknown;
}

/** The expressions of one object of a definition, those in `min` and `max` without their leading `=`. */
export function expressionsOf({ part, classes, role }: DefinitionNode): ExpressionPlace[] {
  const places = [...new Set(classes.flatMap(expressionProperties))].flatMap((property) => {
    const text = part.read(property) ?? '';
    return text === '' ? [] : [{ property, text }];
  });
  for (const property of role === 'choice' ? [] : ['min', 'max']) {
    const text = part.text(property);
    if (text?.startsWith('=')) places.push({ property, text: text.slice(1) });
  }
  return places;
}

const propertiesByClass = new Map<string, readonly string[]>();

/** The properties of a class that hold expressions, by survey-core's own metadata. */
function expressionProperties(name: string): readonly string[] {
  const known = propertiesByClass.get(name);
  if (known !== undefined) return known;
  if (name in Object.prototype || !Serializer.findClass(name)) return [];
  const names = Serializer.getProperties(name)
    .filter(({ type }) => type === 'expression' || type === 'condition')
    .map((property) => property.name);
  propertiesByClass.set(name, names);
  return names;
}
