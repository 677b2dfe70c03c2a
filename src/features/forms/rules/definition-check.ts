/**
 * Whether the engine can read a form (decisions, section 7: a definition it cannot read is refused on save, with the
 * path). Looks at the JSON and at survey-core's own description of its classes; never builds a model, which could
 * fetch choices, allocate what a hostile definition asks for, or run its regular expressions.
 */

import { ElementFactory, Serializer } from 'survey-core';
import type { Issue } from '../../../errors/app-error.ts';
import { effectiveName, elementName, elementType, isObject, isPanel, read, readText } from './definition.ts';
import { type DefinitionNode, walkDefinition } from './definition-walk.ts';
import { expressionsOf } from './expression-properties.ts';
import { findExpressionFault } from './expressions.ts';
import { compileLinearRegex } from './linear-regex.ts';
import { findSettingFaults } from './setting-check.ts';
import { findExcess } from './value-bounds.ts';

const ROOT = 'formBuilderOptions';
const BOUNDS = { maxDepth: 100, maxNodes: 200_000, maxArrayLength: 10_000 };
const MAX_ELEMENTS = 2000;
const MAX_DEPTH = 20;
const MAX_CHOICES = 10_000;
/** Parsing costs about 5 microseconds a character, so this is half a second. */
const MAX_EXPRESSION_CHARS_TOTAL = 100_000;
/** Each runs on every text of its element, which may be long. */
const MAX_VALIDATORS = 20;
/** Sum over the patterns of a form; to compile them takes most of a second at worst. */
const MAX_PATTERN_SIZE_TOTAL = 30_000;
const MAX_NAME_CHARS = 200;
const MAX_ISSUES = 100;

const ELEMENT_TYPES: ReadonlySet<string> = new Set([
  ...ElementFactory.Instance.getAllTypes(),
  'buttongroup',
  'imagemap',
]);

/** Array properties whose other types would break survey-core's reader. */
const LISTS = [
  'pages elements questions templateElements detailElements columns items choices rateValues rows validators',
  'triggers calculatedValues completedHtmlOnCondition navigateToUrlOnCondition',
]
  .join(' ')
  .split(' ');

/** Numbers of rows and panels that survey-core creates as soon as it reads a form. */
const COUNTS = ['rowCount', 'minRowCount', 'panelCount', 'minPanelCount', 'itemCount'];
const MAX_COUNT = 500;

/** Lists one issue per fault of a form definition; empty when the engine can read it. Never throws. */
export function checkDefinition(definition: unknown): Issue[] {
  if (!isObject(definition)) return [{ field: ROOT, message: 'must be an object' }];
  const excess = findExcess(definition, BOUNDS);
  if (excess !== null) return [{ field: ROOT, message: excess }];
  const issues = findSettingFaults(definition, ROOT);
  const pages = read(definition, 'pages');
  if (pages === undefined || pages === null || (Array.isArray(pages) && pages.length === 0)) {
    issues.push({ field: `${ROOT}.pages`, message: 'must be a list of at least one page' });
  }
  const check = new DefinitionCheck(issues);
  walkDefinition(definition, ROOT, (node) => check.visit(node));
  return issues.slice(0, MAX_ISSUES);
}

/** One pass over a definition; counts what a form may have only so much of. */
class DefinitionCheck {
  readonly #issues: Issue[];
  readonly #names = new Map<object, Set<string>>();
  readonly #panelNames = new Map<object, Set<string>>();
  #elements = 0;
  #choices = 0;
  #expressionChars = 0;
  #patternSize = 0;
  #isStopped = false;

  constructor(issues: Issue[]) {
    this.#issues = issues;
  }

  /** Checks one object; false ends the descent. */
  visit(node: DefinitionNode): boolean {
    if (this.#isStopped || this.#issues.length >= MAX_ISSUES) return false;
    this.#count(node);
    if (this.#isStopped) return false;
    this.#checkLists(node);
    if (
      node.role === 'page' &&
      !Array.isArray(read(node.object, 'elements') ?? read(node.object, 'questions'))
    ) {
      this.#fault(`${node.path}.elements`, 'must be a list');
    }
    if (node.role === 'element') this.#checkElement(node);
    if (node.role === 'column' || node.role === 'item') this.#checkName(node);
    if (node.role === 'choice' && typeof (read(node.object, 'value') ?? '') === 'object')
      this.#fault(`${node.path}.value`, 'must be a single value');
    if (node.role === 'validator') this.#checkValidator(node);
    if (node.role === 'trigger') this.#checkClass(node, 'surveytrigger', 'trigger');
    if (node.classes.includes('calculatedvalue')) this.#checkName(node);
    this.#checkExpressions(node);
    return true;
  }

  /** An excess ends the walk, or it would be repeated for all that follows. */
  #count(node: DefinitionNode): void {
    if (COUNTED.has(node.role)) this.#elements += 1;
    for (const list of ['choices', 'rows', 'rateValues', 'columns']) {
      const entries = read(node.object, list);
      if (Array.isArray(entries)) this.#choices += entries.length;
    }
    const excess =
      this.#elements > MAX_ELEMENTS
        ? `is one element too many: a form has at most ${MAX_ELEMENTS}`
        : this.#choices > MAX_CHOICES
          ? `has too many choices: a form has at most ${MAX_CHOICES}`
          : node.depth > MAX_DEPTH
            ? `is nested deeper than ${MAX_DEPTH} elements`
            : null;
    if (excess === null) return;
    this.#fault(node.path, excess);
    this.#isStopped = true;
  }

  #checkLists(node: DefinitionNode): void {
    for (const list of LISTS) {
      const value = read(node.object, list);
      if (value === undefined || value === null) continue;
      if (!Array.isArray(value)) {
        this.#fault(`${node.path}.${list}`, 'must be a list');
        continue;
      }
      for (const [index, entry] of value.entries()) {
        if (!isObject(entry) && !SCALAR_LISTS.has(list))
          this.#fault(`${node.path}.${list}[${index}]`, 'must be an object');
      }
    }
    const validators = read(node.object, 'validators');
    if (Array.isArray(validators) && validators.length > MAX_VALIDATORS)
      this.#fault(`${node.path}.validators`, `must have at most ${MAX_VALIDATORS} entries`);
    for (const count of COUNTS) {
      const value = read(node.object, count);
      if (value !== undefined && !(typeof value === 'number' && value >= 0 && value <= MAX_COUNT)) {
        this.#fault(`${node.path}.${count}`, `must be a number from 0 to ${MAX_COUNT}`);
      }
    }
  }

  #checkElement(node: DefinitionNode): void {
    const type = elementType(node.object);
    if (!ELEMENT_TYPES.has(type)) {
      const message = type === '' ? 'is required' : `"${type.slice(0, 50)}" is not an element type`;
      this.#fault(`${node.path}.type`, message);
    }
    if (type !== 'panel' || elementName(node.object) !== '') this.#checkName(node);
    const valueName = readText(node.object, 'valueName');
    if (valueName !== undefined) this.#checkNameText(`${node.path}.valueName`, effectiveName(valueName));
  }

  #checkName(node: DefinitionNode): void {
    const name = elementName(node.object);
    const path = `${node.path}.name`;
    if (name === '') {
      this.#fault(path, 'is required');
      return;
    }
    this.#checkNameText(path, name);
    const names = this.#namesLike(node);
    if (names.has(name)) this.#fault(path, `"${name.slice(0, MAX_NAME_CHARS)}" is used twice`);
    names.add(name);
  }

  /** The names seen that this one must differ from. Panels have no answers, so only other panels matter to them. */
  #namesLike({ role, object, scope }: DefinitionNode): Set<string> {
    const byScope = role === 'element' && isPanel(object) ? this.#panelNames : this.#names;
    const names = byScope.get(scope) ?? new Set();
    byScope.set(scope, names);
    return names;
  }

  /** Answers become objects keyed by name, here and in survey-core, so a name must mean nothing to objects. */
  #checkNameText(path: string, name: string): void {
    if (name.length > MAX_NAME_CHARS) this.#fault(path, `must have at most ${MAX_NAME_CHARS} characters`);
    if (name in Object.prototype) this.#fault(path, `"${name}" cannot be a name`);
  }

  #checkValidator(node: DefinitionNode): void {
    if (!this.#checkClass(node, 'surveyvalidator', 'validator')) return;
    const pattern = read(node.object, 'regex');
    if (pattern === undefined || pattern === null || pattern === '') return;
    const regex = typeof pattern === 'string' ? compileLinearRegex(pattern, false) : null;
    if (regex === null) {
      this.#fault(`${node.path}.regex`, 'must be a regular expression without look-around and references');
      return;
    }
    this.#patternSize += regex.size;
    if (this.#patternSize <= MAX_PATTERN_SIZE_TOTAL) return;
    this.#fault(
      `${node.path}.regex`,
      'is one too many: the regular expressions of the form are too large together',
    );
    this.#isStopped = true;
  }

  /** Whether a node's `type` names a class that survey-core derives from `base`. */
  #checkClass(node: DefinitionNode, base: string, noun: string): boolean {
    const [name = ''] = node.classes;
    if (name !== base && Serializer.isDescendantOf(name, base)) return true;
    const type = elementType(node.object);
    this.#fault(
      `${node.path}.type`,
      type === '' ? 'is required' : `"${type.slice(0, 50)}" is not a ${noun} type`,
    );
    return false;
  }

  #checkExpressions(node: DefinitionNode): void {
    for (const { property, text } of expressionsOf(node))
      this.#checkExpression(`${node.path}.${property}`, text);
  }

  #checkExpression(path: string, text: unknown): void {
    if (typeof text !== 'string') {
      this.#fault(path, 'must be a text');
      return;
    }
    this.#expressionChars += text.length;
    if (this.#expressionChars > MAX_EXPRESSION_CHARS_TOTAL) {
      this.#fault(path, `exceeds ${MAX_EXPRESSION_CHARS_TOTAL} characters of expressions in one form`);
      this.#isStopped = true;
      return;
    }
    const fault = findExpressionFault(text);
    if (fault !== null) this.#fault(path, fault);
  }

  #fault(field: string, message: string): void {
    this.#issues.push({ field, message });
  }
}

/** What the number of elements bounds. */
const COUNTED: ReadonlySet<DefinitionNode['role']> = new Set(['page', 'element', 'column', 'item']);

/** Lists whose entries may be plain values. */
const SCALAR_LISTS: ReadonlySet<string> = new Set(['choices', 'rateValues', 'rows', 'columns']);
