import type { Question } from 'survey-core';
import type { Part } from '../definition.ts';
import type { ExpressionCompiler } from '../expression-compiler.ts';
import type { ExpressionValues } from '../expressions.ts';
import type { Fault } from '../fault.ts';
import type { AnswerShape, ShapeContext } from './shapes.ts';

/** Returns the fault of an answer (undefined if missing), given all answers, or null. */
export type AnswerRule = (value: unknown, values: ExpressionValues) => Fault | null;

/** A question of survey-core's model inside another, and the path that issues append. */
export type InnerQuestion = readonly [question: Question, path: string];

/** Everything the engine knows about one type of element. Missing members do not apply to it. */
export interface ElementType {
  /** Role of an element without an answer from a visitor: it contains elements, shows something or computes a value. */
  readonly role?: 'panel' | 'display' | 'computed';
  /** Returns why compiled rules cannot check an element, or null. Missing: they never can. */
  readonly findObstacle?: (element: Part) => string | null;
  /** Structure of an answer, independent of other answers. Missing: anything of limited size. */
  readonly compileShape?: (element: Part, context: ShapeContext) => AnswerShape;
  /** Rules in addition to the general ones (required, validators). */
  readonly compileRules?: (element: Part, expressions: ExpressionCompiler) => AnswerRule[];
  /** Text questions that make up the answer, by name. */
  readonly items?: (element: Part) => Part[];
  /** Elements that are shown while their choice is selected; their answers are stored next to all others. */
  readonly inChoices?: (element: Part) => Part[];
  /** Currently shown questions of choices, in survey-core's model. */
  readonly shownInChoices?: (question: Question) => readonly Question[];
  /** True if totals are stored next to its answer. */
  readonly hasTotals?: boolean;
  /** Questions inside one of survey-core's model, to collect their faults. */
  readonly inside?: (question: Question) => readonly InnerQuestion[];
  /** Properties with the number of objects that survey-core creates when it reads a form. */
  readonly counts?: readonly string[];
  /** Properties that contain plain values here and objects in other types. */
  readonly plainLists?: readonly string[];
}
