import type { Part } from './definition.ts';
import { itemsOf } from './elements/index.ts';
import {
  type Condition,
  compileExpression,
  type Expression,
  type ExpressionValues,
  NotCompilableError,
} from './expressions.ts';
import { isComputed, type Outline } from './outline.ts';

/** How often a check evaluates an expression: once, or for each choice that an answer selects. */
type Times = 'once' | 'perChoice';

/** How an expression is to be read where it is not as usual. */
interface ConditionOptions {
  /** Whether the condition holds, given the result: when it is exactly true. */
  readonly holds?: ((result: unknown) => boolean) | undefined;
  /** Whether it is that of a choice, which it sees as `{item}`. */
  readonly isOfChoice?: boolean;
  readonly times?: Times;
}

/** Names that are no keys of questions, such as computed values and comments. They cost what the longest answer does. */
const OTHER = '';
/** 1.5 microseconds: three thousand characters take five milliseconds. */
const COST_PER_CHARACTER = 30;

/**
 * Compiles the expressions of a form, and keeps count of what they cost. survey-core compares two lists entry by entry and
 * searches one text in another: with long lists and texts, a form's expressions could keep a process busy for minutes.
 */
export class FormExpressions {
  /** The lower-case names of answers and their items and of computed values. */
  readonly #known: ReadonlySet<string>;
  /** The keys of answers by their names in lower case. */
  readonly #keys = new Map<string, string>();
  readonly #characters = { once: 0, perChoice: 0 };
  /** How often a key is read. */
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

  /** Compiles an expression over the answers. Throws NotCompilableError when it needs more. */
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

  /** The condition of a property such as `visibleIf`, undefined when absent. */
  condition(part: Part, property: string, options: ConditionOptions = {}): Condition | undefined {
    const { holds = (result) => result === true, isOfChoice = false, times } = options;
    const text = part.text(property);
    if (text === undefined) return undefined;
    if (isOfChoice && this.#known.has('item')) throw new NotCompilableError('a question is named "item"');
    const expression = this.compile(text, times, isOfChoice ? new Set(this.#known).add('item') : this.#known);
    return (values) => holds(expression(values));
  }

  /** What evaluating all of them over given answers costs, about as many twentieths of a microsecond. */
  costOver(values: ExpressionValues): number {
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
 * What comparing a value with one of its kind may cost: two lists of 1,000 entries take 70 milliseconds, to search one
 * text of 100,000 characters in another 180.
 */
function costOf(value: unknown): number {
  if (typeof value === 'string') return 1 + value.length / 12 + value.length ** 2 / 3000;
  if (typeof value !== 'object' || value === null) return 1;
  const entries: unknown[] = Object.values(value);
  return entries.length * entries.reduce((sum: number, entry) => sum + costOf(entry), 1);
}
