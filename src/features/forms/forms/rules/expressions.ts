/**
 * Expressions of a form (`visibleIf`, validators, calculated values), run by survey-core's own runners so that server
 * and browser agree. Compiled rules accept only expressions that depend on nothing but the answers; others need the
 * full model.
 */

import {
  ConditionsParser,
  ExpressionRunner,
  FunctionFactory,
  FunctionOperand,
  type Operand,
} from 'survey-core';

/** Thrown for a form or answers that only survey-core's full model can check. */
export class NotCompilableError extends Error {
  constructor(reason: string) {
    super(`the full model is needed: ${reason}`);
    this.name = 'NotCompilableError';
  }
}

/** Returns the result of `attempt`, or undefined if it throws NotCompilableError. */
export function ifCompilable<Result>(attempt: () => Result): Result | undefined {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof NotCompilableError) return undefined;
    throw error;
  }
}

/** Values by name as expressions see them. No name is a member of every object (`checkDefinition`). */
export type ExpressionValues = Record<string, unknown>;

/** Computes a value from the answers; undefined if there is none. Never throws. */
export interface Expression {
  (values: ExpressionValues): unknown;
  /** Names that it reads, in lower case. */
  readonly variables: readonly string[];
}

/** Returns true if something applies, given the answers. */
export type Condition = (values: ExpressionValues) => boolean;

/**
 * Longer expressions are refused on save. This limits the parsed tree and the texts that an expression can
 * concatenate.
 */
const MAX_EXPRESSION_CHARS = 3000;

/** Functions of survey-core that depend only on their parameters and the clock. */
const PURE_FUNCTIONS = new Set(
  (
    'sum min max count avg round trunc iif getDate age dateDiff dateAdd today getYear currentYear currentDate ' +
    'diffDays year month day weekday substring'
  ).split(' '),
);

/** Variables that depend on the state of the page instead of the answers. */
const STATE_VARIABLES = new Set(
  (
    'pageno pagecount locale correctedanswers correctanswers correctedanswercount incorrectedanswers ' +
    'incorrectanswers incorrectedanswercount questioncount item choice self panel row survey'
  ).split(' '),
);

/** Returns why an expression is invalid (syntax, length, unknown functions), or null. */
export function findExpressionFault(text: string): string | null {
  if (text.length > MAX_EXPRESSION_CHARS) return `is longer than ${MAX_EXPRESSION_CHARS} characters`;
  const functions = calledFunctions(text);
  if (functions === null) return 'is not a valid expression';
  const unknown = functions.find((name) => !FunctionFactory.Instance.hasFunction(name));
  return unknown === undefined ? null : `calls the unknown function "${unknown}"`;
}

/**
 * Compiles an expression that depends only on the answers. `known` contains the lower-case names of answers.
 * @throws NotCompilableError if it depends on more (functions that read the survey, paths into an answer, page
 * numbers) or is invalid.
 */
export function compileExpression(text: string, known: ReadonlySet<string>): Expression {
  const isPure = calledFunctions(text)?.every((name) => PURE_FUNCTIONS.has(name)) === true;
  const runner = new ExpressionRunner(text);
  const variables = runner.getVariables().map((name) => name.toLowerCase());
  if (!isPure || runner.isAsync || !variables.every((name) => known.has(name) || isPlain(name)))
    throw new NotCompilableError(`expression "${text.slice(0, 80)}"`);
  const run = (values: ExpressionValues): unknown => {
    try {
      return runner.runValues(values);
    } catch {
      // survey-core rounds products to the digits of their factors, and throws above a hundred.
      return undefined;
    }
  };
  return Object.assign(run, { variables });
}

/**
 * Returns true for values that survey-core accepts as true in validators and conditions of choices: also `1` and
 * `"1"`.
 */
export function isTrueLoosely(result: unknown): boolean {
  return result === true || result === 1 || (typeof result === 'string' && Number(result) === 1);
}

/** Returns true if a name can be that of an answer, even of one without a question. */
function isPlain(name: string): boolean {
  return !STATE_VARIABLES.has(name) && !name.endsWith('-unwrapped') && /^[^.[\]$:]*$/.test(name);
}

/** Returns the functions that an expression calls, from survey-core's own parser; null if it is invalid. */
function calledFunctions(text: string): string[] | null {
  if (text.length > MAX_EXPRESSION_CHARS) return null;
  try {
    const operands: Operand[] = [];
    new ConditionsParser().parseExpression(text)?.addOperandsToList(operands);
    if (operands.length === 0) return null;
    return operands.flatMap((operand) => (operand instanceof FunctionOperand ? [operand.functionName] : []));
  } catch {
    return null;
  }
}
