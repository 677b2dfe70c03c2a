/** Visits everything in a form definition that survey-core reads as an object of its own, with its path. */

import { elementType, isObject, type JsonObject, read, readText } from './definition.ts';

/** One object of a definition. */
export interface DefinitionNode {
  readonly object: JsonObject;
  /** Such as `formBuilderOptions.pages[0].elements[2]`. */
  readonly path: string;
  /** The survey-core classes whose properties it has, such as `text` or `expressionvalidator`. */
  readonly classes: readonly string[];
  /** What it stands for in the form. */
  readonly role:
    | 'survey'
    | 'page'
    | 'element'
    | 'column'
    | 'item'
    | 'choice'
    | 'validator'
    | 'trigger'
    | 'other';
  /** Levels of elements around it. */
  readonly depth: number;
  /** Names within one scope must differ; the form's questions share one, each repeated panel or matrix has its own. */
  readonly scope: object;
}

/** Array properties that hold objects, by what their entries are. */
type Entries = readonly [
  property: string,
  role: DefinitionNode['role'],
  classes: (entry: JsonObject) => string[],
];

const ownType =
  (suffix: string) =>
  (entry: JsonObject): string[] => {
    const type = elementType(entry);
    return [type.endsWith(suffix) ? type : `${type}${suffix}`];
  };
const always =
  (...classes: string[]) =>
  (): string[] =>
    classes;

const ENTRIES: readonly Entries[] = [
  ['pages', 'page', always('page')],
  ['elements', 'element', ownType('')],
  ['questions', 'element', ownType('')],
  ['templateElements', 'element', ownType('')],
  ['detailElements', 'element', ownType('')],
  ['columns', 'column', (column) => ['matrixdropdowncolumn', readText(column, 'cellType') ?? 'dropdown']],
  ['items', 'item', always('multipletextitem', 'text')],
  ['choices', 'choice', always('choiceitem')],
  ['rateValues', 'choice', always('itemvalue')],
  ['rows', 'choice', always('itemvalue')],
  ['validators', 'validator', ownType('validator')],
  ['triggers', 'trigger', ownType('trigger')],
  ['calculatedValues', 'other', always('calculatedvalue')],
  ['completedHtmlOnCondition', 'other', always('htmlconditionitem')],
  ['navigateToUrlOnCondition', 'other', always('urlconditionitem')],
];

/** Properties whose entries' names are a scope of their own. */
const OWN_SCOPE: ReadonlySet<string> = new Set(['templateElements', 'detailElements', 'columns', 'items']);

/** Walks a definition depth first, in order. Stops descending where `visit` returns false. */
export function walkDefinition(
  definition: JsonObject,
  path: string,
  visit: (node: DefinitionNode) => boolean,
): void {
  const root: DefinitionNode = {
    object: definition,
    path,
    classes: ['survey'],
    role: 'survey',
    depth: 0,
    scope: {},
  };
  const walk = (node: DefinitionNode): void => {
    if (!visit(node)) return;
    for (const entries of entriesOf(node)) {
      const [property, role, classes] = entries;
      const list = read(node.object, property);
      if (!Array.isArray(list)) continue;
      const scope = OWN_SCOPE.has(property) ? {} : node.scope;
      const depth = node.depth + (role === 'element' ? 1 : 0);
      for (const [index, object] of list.entries()) {
        if (!isObject(object)) continue;
        walk({
          object,
          path: `${node.path}.${property}[${index}]`,
          classes: classes(object),
          role,
          depth,
          scope,
        });
      }
    }
  };
  walk(root);
}

/** A plain matrix's `columns` are choices, not questions; a form's own `elements` are not read beside its pages. */
function entriesOf(node: DefinitionNode): readonly Entries[] {
  if (node.role === 'survey')
    return ENTRIES.filter(([property]) => property !== 'elements' && property !== 'questions');
  if (node.role === 'element' && elementType(node.object) === 'matrix') {
    return ENTRIES.filter(([property]) => property !== 'columns');
  }
  return ENTRIES;
}
