/**
 * Checks whether the engine can read a form definition (docs/specification/forms.md#form-definition: an unreadable one
 * is refused on save, with the path). It uses the JSON and survey-core's metadata of its classes. It never builds a
 * model, which could fetch choices, allocate huge numbers of objects, or run regular expressions.
 */

import { Serializer } from 'survey-core';
import { type Issue, MAX_ISSUES } from '../../../../errors/app-error.ts';
import { effectiveName, isObject, Part } from './definition.ts';
import { elementTypeOf, elementTypes } from './elements/index.ts';
import { findExpressionFault } from './expressions.ts';
import { findSettingFaults } from './setting-check.ts';
import { findExcess } from './value-bounds.ts';

const ROOT = 'formBuilderOptions';
const BOUNDS = { maxDepth: 100, maxNodes: 200_000, maxArrayLength: 10_000 };
const MAX_ELEMENTS = 2000;
const MAX_DEPTH = 20;
const MAX_CHOICES = 10_000;
/** Parsing takes about 5 µs per character, so this is half a second. */
const MAX_EXPRESSION_CHARS_TOTAL = 100_000;
/** Each validator runs on every text of its element, which may be long. */
const MAX_VALIDATORS = 20;
const MAX_NAME_CHARS = 200;
const MAX_COUNT = 500;

/**
 * Properties that set a number of rows or panels. All elements are checked for all of them, since a matrix column may
 * have any type.
 */
const COUNTS = [...elementTypes.values()].flatMap(({ counts = [] }) => counts);
/** Roles whose number is limited. */
const COUNTED: readonly string[] = ['page', 'element', 'column', 'item'];
/** Roles that require a name; panels do not. */
const NAMED: readonly string[] = ['element', 'column', 'item', 'calculated value'];

/** An object in a definition. */
interface DefinitionNode {
  readonly part: Part;
  /** For example `formBuilderOptions.pages[0].elements[2]`. */
  readonly path: string;
  /** Role in the form. */
  readonly role: string;
  /** Number of elements around it. */
  readonly depth: number;
  readonly scope: Scope;
}

/**
 * Unique names: the questions of a form share one scope, and each repeated panel or matrix has its own. Panels have no
 * answers, so their names only need to differ from those of other panels.
 */
class Scope {
  readonly questions = new Set<string>();
  readonly panels = new Set<string>();
}

/** An array property that survey-core reads as objects in every class; another type would crash its reader. */
interface ObjectList {
  readonly role: string;
  /** True if its entries have their own scope of names. */
  readonly hasScope?: boolean;
  /** True if entries may be plain values, whose number is limited. */
  readonly takesValues?: boolean;
}

/** By the name of the property. */
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

/**
 * Properties that contain expressions in some class of survey-core. None of these names has another meaning in another
 * class.
 */
const EXPRESSION_PROPERTIES = new Set(
  Serializer.getAllClasses()
    .flatMap((name) => Serializer.getProperties(name))
    .filter(({ type }) => type === 'expression' || type === 'condition')
    .map(({ name }) => name),
);

/** Lists the issues of a form definition; empty if the engine can read it. Never throws. */
export function checkDefinition(definition: unknown): Issue[] {
  if (!isObject(definition)) return [{ field: ROOT, message: 'must be an object' }];
  const excess = findExcess(definition, BOUNDS);
  if (excess !== null) return [{ field: ROOT, message: excess }];
  const form = new Part(definition);
  const issues = findSettingFaults(form, ROOT);
  const pages = form.read('pages') ?? [];
  if (Array.isArray(pages) && pages.length === 0)
    issues.push({ field: `${ROOT}.pages`, message: 'must be a list of at least one page' });
  new DefinitionCheck(issues).visit({ part: form, path: ROOT, role: 'survey', depth: 0, scope: new Scope() });
  return issues.slice(0, MAX_ISSUES);
}

/** Walks a definition depth first and counts what is limited. */
class DefinitionCheck {
  readonly #issues: Issue[];
  #elements = 0;
  #choices = 0;
  #expressionChars = 0;
  #isStopped = false;

  constructor(issues: Issue[]) {
    this.#issues = issues;
  }

  /** Checks an object and those inside it. */
  visit(node: DefinitionNode): void {
    if (this.#isStopped || this.#issues.length >= MAX_ISSUES) return;
    this.#count(node);
    if (this.#isStopped) return;
    this.#checkLists(node);
    this.#checkRole(node);
    this.#checkExpressions(node);
    const depth = node.depth + (node.role === 'element' ? 1 : 0);
    for (const [property, { role, hasScope = false }] of Object.entries(OBJECT_LISTS)) {
      if (isPlainList(node, property)) continue;
      const scope = hasScope ? new Scope() : node.scope;
      for (const [index, entry] of node.part.list(property).entries())
        if (isObject(entry))
          this.visit({
            part: new Part(entry),
            path: `${node.path}.${property}[${index}]`,
            role,
            depth,
            scope,
          });
    }
  }

  #fault(field: string, message: string): void {
    this.#issues.push({ field, message });
  }

  /** Exceeding a limit ends the walk; otherwise the rest would report the same issue. */
  #stop(field: string, message: string): void {
    this.#fault(field, message);
    this.#isStopped = true;
  }

  #count({ role, part, path, depth }: DefinitionNode): void {
    if (COUNTED.includes(role)) this.#elements += 1;
    for (const [list, { takesValues }] of Object.entries(OBJECT_LISTS))
      if (takesValues) this.#choices += part.list(list).length;
    if (this.#elements > MAX_ELEMENTS)
      this.#stop(path, `exceeds the limit of ${MAX_ELEMENTS} elements per form`);
    else if (this.#choices > MAX_CHOICES)
      this.#stop(path, `exceeds the limit of ${MAX_CHOICES} choices per form`);
    else if (depth > MAX_DEPTH) this.#stop(path, `is nested deeper than ${MAX_DEPTH} elements`);
  }

  #checkLists({ part, path }: DefinitionNode): void {
    for (const [list, { takesValues }] of Object.entries(OBJECT_LISTS)) {
      const value = part.read(list) ?? [];
      if (!Array.isArray(value)) this.#fault(`${path}.${list}`, 'must be a list');
      else if (!takesValues) {
        for (const [index, entry] of value.entries())
          if (!isObject(entry)) this.#fault(`${path}.${list}[${index}]`, 'must be an object');
      }
    }
    if (part.list('validators').length > MAX_VALIDATORS)
      this.#fault(`${path}.validators`, `must have at most ${MAX_VALIDATORS} entries`);
    for (const count of COUNTS) {
      const value = part.read(count);
      if (value !== undefined && !(typeof value === 'number' && value >= 0 && value <= MAX_COUNT))
        this.#fault(`${path}.${count}`, `must be a number from 0 to ${MAX_COUNT}`);
    }
  }

  #checkRole(node: DefinitionNode): void {
    const { role, part, path } = node;
    const { name, type } = part;
    if (role === 'page' && !Array.isArray(part.read('elements') ?? part.read('questions')))
      this.#fault(`${path}.elements`, 'must be a list');
    if (KNOWN_TYPES[role]?.(type) === false) {
      const noun = role === 'element' ? 'an element' : `a ${role}`;
      this.#fault(`${path}.type`, type === '' ? 'is required' : `"${type.slice(0, 50)}" is not ${noun} type`);
    }
    const isPanel = role === 'element' && elementTypeOf(part).role === 'panel';
    if (NAMED.includes(role) && (name !== '' || !isPanel)) this.#checkName(node, isPanel);
    const valueName = role === 'element' ? part.text('valueName') : undefined;
    if (valueName !== undefined) this.#checkNameText(`${path}.valueName`, effectiveName(valueName));
    if (role === 'choice' && typeof (part.read('value') ?? '') === 'object')
      this.#fault(`${path}.value`, 'must be a single value');
    if (role === 'validator' && typeof (part.read('regex') ?? '') !== 'string')
      this.#fault(`${path}.regex`, 'must be a string');
  }

  #checkName({ part: { name }, path, scope }: DefinitionNode, isPanel: boolean): void {
    const names = isPanel ? scope.panels : scope.questions;
    if (name === '') this.#fault(`${path}.name`, 'is required');
    this.#checkNameText(`${path}.name`, name);
    if (names.has(name)) this.#fault(`${path}.name`, `"${name.slice(0, MAX_NAME_CHARS)}" is used twice`);
    if (name !== '') names.add(name);
  }

  /** Answers become objects keyed by name, here and in survey-core, so names such as `__proto__` are refused. */
  #checkNameText(path: string, name: string): void {
    if (name.length > MAX_NAME_CHARS) this.#fault(path, `must have at most ${MAX_NAME_CHARS} characters`);
    if (name in Object.prototype) this.#fault(path, `"${name}" cannot be a name`);
  }

  #checkExpressions({ part, path, role }: DefinitionNode): void {
    for (const property of EXPRESSION_PROPERTIES) {
      const text = part.read(property) ?? '';
      if (text !== '') this.#checkExpression(`${path}.${property}`, text);
    }
    for (const property of role === 'choice' ? [] : ['min', 'max']) {
      const text = part.inlineExpression(property);
      if (text !== undefined) this.#checkExpression(`${path}.${property}`, text);
    }
  }

  #checkExpression(path: string, text: unknown): void {
    this.#expressionChars += typeof text === 'string' ? text.length : 0;
    const fault = typeof text === 'string' ? findExpressionFault(text) : 'must be a string';
    if (this.#expressionChars > MAX_EXPRESSION_CHARS_TOTAL)
      this.#stop(path, `exceeds ${MAX_EXPRESSION_CHARS_TOTAL} characters of expressions in one form`);
    else if (fault !== null) this.#fault(path, fault);
  }
}

/**
 * Returns true for a list that survey-core does not read as objects here. A form's own `elements` are ignored if it
 * has pages.
 */
export function isPlainList(
  { role, part }: Pick<DefinitionNode, 'role' | 'part'>,
  property: string,
): boolean {
  if (role === 'survey') return property === 'elements' || property === 'questions';
  return role === 'element' && elementTypeOf(part).plainLists?.includes(property) === true;
}

/** Types that a node of each role may have, in lower case. survey-core omits the suffix of class names. */
const KNOWN_TYPES: Readonly<Record<string, (type: string) => boolean>> = {
  element: (type) => elementTypes.has(type),
  validator: (type) => isDerived(type, 'validator'),
  trigger: (type) => isDerived(type, 'trigger'),
};

function isDerived(type: string, suffix: string): boolean {
  const name = type.endsWith(suffix) ? type : `${type}${suffix}`;
  return name !== `survey${suffix}` && Serializer.isDescendantOf(name, `survey${suffix}`);
}
