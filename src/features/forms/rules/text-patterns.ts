/** Regex validators, which are part of an answer's shape: survey-core would run them as backtracking RegExp. */

import type { AnswerShape } from './answer-shape.ts';
import { type JsonObject, readFlag, readObjects, readText } from './definition.ts';
import { compileLinearRegex, type LinearRegex } from './linear-regex.ts';
import { isBlocking } from './validators.ts';

/** Steps that the patterns of a form may take in one check, a fifth of a second at worst. */
const MAX_STEPS = 20_000_000;

/** What is left of the time that one check gives to patterns. */
export class PatternBudget {
  #steps = MAX_STEPS;

  /** Takes steps from what is left; false when that is too little. */
  spend(steps: number): boolean {
    this.#steps -= steps;
    return this.#steps >= 0;
  }
}

/** Adds the element's patterns to a shape. They are for texts: an object is the shape's to judge. */
export function withPatterns(shape: AnswerShape, element: JsonObject): AnswerShape {
  const patterns = compilePatterns(element);
  if (patterns.length === 0) return shape;
  return (value, field, found) => {
    shape(value, field, found);
    for (const entry of Array.isArray(value) ? value : [value]) {
      if (typeof entry === 'object') continue;
      const text = String(entry);
      for (const { regex, message } of patterns) {
        if (!found.budget.spend(regex.size * text.length))
          found.issues.push({ field, message: 'takes too long to check' });
        else if (!regex.test(text)) found.issues.push({ field, message });
      }
    }
  };
}

function compilePatterns(element: JsonObject): { regex: LinearRegex; message: string }[] {
  return readObjects(element, 'validators').flatMap((validator) => {
    const pattern = readText(validator, 'regex');
    if (
      pattern === undefined ||
      !(readText(validator, 'type') ?? '').startsWith('regex') ||
      !isBlocking(validator)
    )
      return [];
    const regex = compileLinearRegex(pattern, readFlag(validator, 'caseInsensitive', 'insensitive'));
    return regex === null
      ? []
      : [{ regex, message: readText(validator, 'text') ?? 'does not have the required format' }];
  });
}
