import type { Part } from './definition.ts';
import { itemsOf } from './elements/index.ts';
import type { ConditionOptions, ExpressionCompiler, Times } from './expression-compiler.ts';
import {
  type Condition,
  compileExpression,
  type Expression,
  type ExpressionValues,
  NotCompilableError,
} from './expressions.ts';
import { isComputed, type Outline } from './outline.ts';

/**
 * Names that are not keys of questions, such as computed values and comments. They cost as much as the longest answer.
 */
const OTHER = '';
/** In units of 50 ns: 1.5 µs, so 3,000 characters take 5 ms. */
const COST_PER_CHARACTER = 30;

/**
 * Compiles the expressions of a form and tracks their cost. survey-core compares two lists entry by entry and searches
 * one text in another: long lists and texts could keep a process busy for minutes.
 */
export class FormExpressions implements ExpressionCompiler {
  /** Lower-case names of answers, their items and computed values. */
  readonly #known: ReadonlySet<string>;
  /** Keys of answers by lower-case name. */
  readonly #keys = new Map<string, string>();
  readonly #characters = { once: 0, perChoice: 0 };
  /** Number of reads per key. */
  readonly #reads = { once: new Map<string, number>(), perChoice: new Map<string, number>() };

  constructor({ form, questions }: Outline) {
    const names = questions.flatMap(({ element, key }) => [
      key,
      ...itemsOf(element).map(({ name }) => `${key}.${name}`),
    ]);
    const computed = form.parts('calculatedValues').map(({ name }) => name);
    this.#known = new Set([...names, ...computed].map((name) => name.toLowerCase()));
    for (const { element, key } of questions)
      if (!isComputed(element)) this.#keys.set(key.toLowerCase(), key);
  }

  /** Compiles an expression on the answers. @throws NotCompilableError if it needs more than the answers. */
  compile(text: string, times: Times = 'once', known = this.#known): Expression {
    this.#characters[times] += text.length;
    const reads = this.#reads[times];
    for (const [, name = ''] of text.matchAll(/\{([^}]*)\}/g)) {
      const key = this.#keys.get(name.trim().toLowerCase()) ?? OTHER;
      // The choice itself is short.
      if (name !== 'item') reads.set(key, (reads.get(key) ?? 0) + 1);
    }
    return compileExpression(text, known);
  }

  /** Compiles the condition in a property such as `visibleIf`; undefined if it is missing. */
  condition(part: Part, property: string, options: ConditionOptions = {}): Condition | undefined {
    const { isMet = (result) => result === true, isOfChoice = false, times } = options;
    const text = part.text(property);
    if (text === undefined) return undefined;
    if (isOfChoice && this.#known.has('item')) throw new NotCompilableError('a question is named "item"');
    const expression = this.compile(text, times, isOfChoice ? new Set(this.#known).add('item') : this.#known);
    return (values) => isMet(expression(values));
  }

  /** Estimates the cost of evaluating all expressions on these answers, in units of 50 ns. */
  estimateCost(values: ExpressionValues): number {
    const costs = new Map(Object.entries(values).map(([key, value]) => [key, costOf(value)]));
    costs.set(OTHER, Math.max(0, ...costs.values()));
    const cost = (times: Times): number => {
      let total = this.#characters[times] * COST_PER_CHARACTER;
      for (const [key, count] of this.#reads[times]) total += count * (costs.get(key) ?? 0);
      return total;
    };
    const lengths = Object.values(values).map((value) => (Array.isArray(value) ? value.length : 1));
    return cost('once') + cost('perChoice') * Math.max(1, ...lengths);
  }
}

/**
 * Estimates the cost of comparing a value with a similar one: two lists of 1,000 entries take 70 ms, searching a text
 * of 100,000 characters in another takes 180 ms.
 */
function costOf(value: unknown): number {
  if (typeof value === 'string') return 1 + value.length / 12 + value.length ** 2 / 3000;
  if (typeof value !== 'object' || value === null) return 1;
  const entries: unknown[] = Object.values(value);
  return entries.length * entries.reduce((sum: number, entry) => sum + costOf(entry), 1);
}
