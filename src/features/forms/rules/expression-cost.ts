/**
 * What the expressions of a form cost over given answers. survey-core compares two lists entry by entry and searches
 * one text in another: with long lists and texts, a form's expressions could keep a process busy for minutes.
 */

import { expressionsOf, walkDefinition } from './definition-walk.ts';
import type { ExpressionValues } from './expressions.ts';
import type { Outline } from './outline.ts';

/** The cost of evaluating all expressions once, about as many twentieths of a microsecond. */
export type ExpressionCost = (values: ExpressionValues) => number;

/**
 * How often something happens: once in a check, or once for each choice that an answer selects. A choice's own condition
 * is evaluated once, since no answer has a choice twice.
 */
interface Times {
  once: number;
  perChoice: number;
}

/** Names that are no keys of answers: computed values and parts of answers. They cost what the longest answer does. */
const OTHER = '';
/** 1.5 microseconds: three thousand characters take five milliseconds. */
const COST_PER_CHARACTER = 30;

/** Counts what a form's expressions read. */
export function compileExpressionCost(outline: Outline): ExpressionCost {
  const keys = new Map<string, string>();
  for (const [key, kind] of outline.keys) if (kind !== 'computed') keys.set(key.toLowerCase(), key);
  const characters: Times = { once: 0, perChoice: 0 };
  const reads = new Map<string, Times>();
  walkDefinition(outline.form.json, '', (node) => {
    for (const { property, text } of expressionsOf(node)) {
      if (typeof text !== 'string') continue;
      const times = property === 'choicesVisibleIf' ? 'perChoice' : 'once';
      characters[times] += text.length;
      for (const [, name = ''] of text.matchAll(/\{([^}]*)\}/g)) {
        // The choice itself, which is short.
        if (name === 'item') continue;
        const key = keys.get(name.trim().toLowerCase()) ?? OTHER;
        const read = reads.get(key) ?? { once: 0, perChoice: 0 };
        read[times] += 1;
        reads.set(key, read);
      }
    }
    return true;
  });
  return (values) => {
    const selected = Object.values(values).reduce(
      (most: number, value) => (Array.isArray(value) ? Math.max(most, value.length) : most),
      1,
    );
    const count = ({ once, perChoice }: Times) => once + perChoice * selected;
    const costs = new Map(Object.entries(values).map(([key, value]) => [key, costOf(value)]));
    costs.set(OTHER, Math.max(0, ...costs.values()));
    let total = count(characters) * COST_PER_CHARACTER;
    for (const [key, times] of reads) total += count(times) * (costs.get(key) ?? 0);
    return total;
  };
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
