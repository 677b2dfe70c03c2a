/**
 * Whether the engine can read a form (decisions, section 7: a definition it cannot read is refused on save, with the
 * path). Looks at the JSON and at survey-core's own description of its classes; never builds a model, which could
 * fetch choices, allocate what a hostile definition asks for, or run its regular expressions.
 */

import { Serializer } from 'survey-core';
import { type Issue, MAX_ISSUES } from '../../../errors/app-error.ts';
import { effectiveName, isObject, Part } from './definition.ts';
import { type DefinitionNode, expressionsOf, OBJECT_LISTS, walkDefinition } from './definition-walk.ts';
import { elementTypeOf, elementTypes } from './elements/index.ts';
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
const MAX_COUNT = 500;

/** Numbers of rows and panels; looked at everywhere, since a matrix's column may be of any type. */
const COUNTS = [...elementTypes.values()].flatMap(({ counts = [] }) => counts);
/** What the number of elements bounds. */
const COUNTED: readonly string[] = ['page', 'element', 'column', 'item'];

/** What needs a name, panels aside. */
const NAMED: readonly string[] = ['element', 'column', 'item', 'calculated value'];

/** Lists one issue per fault of a form definition; empty when the engine can read it. Never throws. */
export function checkDefinition(definition: unknown): Issue[] {
  if (!isObject(definition)) return [{ field: ROOT, message: 'must be an object' }];
  const excess = findExcess(definition, BOUNDS);
  if (excess !== null) return [{ field: ROOT, message: excess }];
  const form = new Part(definition);
  const issues = findSettingFaults(form, ROOT);
  const pages = form.read('pages') ?? [];
  if (Array.isArray(pages) && pages.length === 0)
    issues.push({ field: `${ROOT}.pages`, message: 'must be a list of at least one page' });
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
    this.#checkRole(node);
    for (const [property, text] of expressionsOf(node))
      this.#checkExpression(`${node.path}.${property}`, text);
    return true;
  }

  #fault(field: string, message: string): void {
    this.#issues.push({ field, message });
  }

  /** An excess ends the walk, or it would be repeated for all that follows. */
  #stop(field: string, message: string): void {
    this.#fault(field, message);
    this.#isStopped = true;
  }

  #count({ role, part, path, depth }: DefinitionNode): void {
    if (COUNTED.includes(role)) this.#elements += 1;
    for (const list of ['choices', 'rows', 'rateValues', 'columns']) this.#choices += part.list(list).length;
    if (this.#elements > MAX_ELEMENTS)
      this.#stop(path, `is one element too many: a form has at most ${MAX_ELEMENTS}`);
    else if (this.#choices > MAX_CHOICES)
      this.#stop(path, `has too many choices: a form has at most ${MAX_CHOICES}`);
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
    if (NAMED.includes(role) && (name !== '' || !isPanel(node))) this.#checkName(node);
    const valueName = role === 'element' ? part.text('valueName') : undefined;
    if (valueName !== undefined) this.#checkNameText(`${path}.valueName`, effectiveName(valueName));
    if (role === 'choice' && typeof (part.read('value') ?? '') === 'object')
      this.#fault(`${path}.value`, 'must be a single value');
    if (role === 'validator') this.#checkPattern(`${path}.regex`, part.read('regex') ?? '');
  }

  /** Panels have no answers, so only other panels' names matter to theirs. */
  #checkName(node: DefinitionNode): void {
    const { name } = node.part;
    const path = `${node.path}.name`;
    const byScope = isPanel(node) ? this.#panelNames : this.#names;
    const names = byScope.get(node.scope) ?? new Set();
    byScope.set(node.scope, names);
    if (name === '') this.#fault(path, 'is required');
    this.#checkNameText(path, name);
    if (names.has(name)) this.#fault(path, `"${name.slice(0, MAX_NAME_CHARS)}" is used twice`);
    if (name !== '') names.add(name);
  }

  /** Answers become objects keyed by name, here and in survey-core, so a name must mean nothing to objects. */
  #checkNameText(path: string, name: string): void {
    if (name.length > MAX_NAME_CHARS) this.#fault(path, `must have at most ${MAX_NAME_CHARS} characters`);
    if (name in Object.prototype) this.#fault(path, `"${name}" cannot be a name`);
  }

  #checkPattern(path: string, pattern: unknown): void {
    if (pattern === '') return;
    const regex = typeof pattern === 'string' ? compileLinearRegex(pattern, false) : null;
    if (regex === null) this.#fault(path, 'must be a regular expression without look-around and references');
    this.#patternSize += regex?.size ?? 0;
    if (this.#patternSize > MAX_PATTERN_SIZE_TOTAL)
      this.#stop(path, 'is one too many: the regular expressions of the form are too large together');
  }

  #checkExpression(path: string, text: unknown): void {
    this.#expressionChars += typeof text === 'string' ? text.length : 0;
    if (this.#expressionChars > MAX_EXPRESSION_CHARS_TOTAL) {
      this.#stop(path, `exceeds ${MAX_EXPRESSION_CHARS_TOTAL} characters of expressions in one form`);
      return;
    }
    const fault = typeof text === 'string' ? findExpressionFault(text) : 'must be a text';
    if (fault !== null) this.#fault(path, fault);
  }
}

function isPanel({ role, part }: DefinitionNode): boolean {
  return role === 'element' && elementTypeOf(part).role === 'panel';
}

/** The types that a node of a role may have, in lower case; of a class, survey-core writes them without its suffix. */
const KNOWN_TYPES: Readonly<Record<string, (type: string) => boolean>> = {
  element: (type) => elementTypes.has(type),
  validator: (type) => isDerived(type, 'validator'),
  trigger: (type) => isDerived(type, 'trigger'),
};

function isDerived(type: string, suffix: string): boolean {
  const name = type.endsWith(suffix) ? type : `${type}${suffix}`;
  return name !== `survey${suffix}` && Serializer.isDescendantOf(name, `survey${suffix}`);
}
