/**
 * Expressions of a form (`visibleIf`, validators, calculated values) run by survey-core's own runners, so that the
 * server and the browser read one expression alike. The compiled rules take only expressions whose result depends on
 * nothing but the answers; the others need the full model.
 */

import {
  ConditionsParser,
  ExpressionRunner,
  FunctionFactory,
  FunctionOperand,
  type Operand,
} from 'survey-core';

/** Thrown while compiling a form, or checking answers, that only survey-core's full model can check. */
export class NotCompilableError extends Error {
  constructor(reason: string) {
    super(`the full model is needed: ${reason}`);
    this.name = 'NotCompilableError';
  }
}

/** What `attempt` returns, undefined when it throws NotCompilableError. */
export function ifCompilable<Result>(attempt: () => Result): Result | undefined {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof NotCompilableError) return undefined;
    throw error;
  }
}

/** Values by lower- or mixed-case name, as expressions see them; no name that every object has (`checkDefinition`). */
export type ExpressionValues = Record<string, unknown>;

/** Computes its value over the answers; undefined when it has none. Never throws. */
export interface Expression {
  (values: ExpressionValues): unknown;
  /** The lower-case names that it reads. */
  readonly variables: readonly string[];
}

/** Whether something applies, given the answers. */
export type Condition = (values: ExpressionValues) => boolean;

/** Longer expressions are refused at save: bounds the parsed tree, and texts an expression can join together. */
const MAX_EXPRESSION_CHARS = 3000;

/** Functions of survey-core whose result depends on their parameters and the clock alone. */
const PURE_FUNCTIONS = new Set(
  (
    'sum min max count avg round trunc iif getDate age dateDiff dateAdd today getYear currentYear currentDate ' +
    'diffDays year month day weekday substring'
  ).split(' '),
);

/** Variables that survey-core answers from the state of the page, not from the answers. */
const STATE_VARIABLES = new Set(
  (
    'pageno pagecount locale correctedanswers correctanswers correctedanswercount incorrectedanswers ' +
    'incorrectanswers incorrectedanswercount questioncount item choice self panel row survey'
  ).split(' '),
);

/** Says why an expression cannot be read, or null when it can: syntax, length, functions that survey-core lacks. */
export function findExpressionFault(text: string): string | null {
  if (text.length > MAX_EXPRESSION_CHARS) return `is longer than ${MAX_EXPRESSION_CHARS} characters`;
  const functions = calledFunctions(text);
  if (functions === null) return 'is not a valid expression';
  const unknown = functions.find((name) => !FunctionFactory.Instance.hasFunction(name));
  return unknown === undefined ? null : `calls the unknown function "${unknown}"`;
}

/**
 * Compiles an expression whose result depends on the answers alone. `known` holds the lower-case names of answers.
 * Throws NotCompilableError when it depends on more (functions that look at the survey, paths into an answer, page
 * numbers) or cannot be read.
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
      // survey-core rounds products to as many digits as their factors have, and throws above a hundred.
      return undefined;
    }
  };
  return Object.assign(run, { variables });
}

/** What survey-core takes for true in validators and conditions of choices: `1` and `"1"` as well. */
export function isTrueLoosely(result: unknown): boolean {
  return result === true || result === 1 || (typeof result === 'string' && Number(result) === 1);
}

/** Whether a name is that of an answer, if of one that the form has no question for. */
function isPlain(name: string): boolean {
  return !STATE_VARIABLES.has(name) && !name.endsWith('-unwrapped') && /^[^.[\]$:]*$/.test(name);
}

/** The functions that an expression calls, as survey-core's own parser reads it; null when it cannot. */
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
