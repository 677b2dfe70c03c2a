import type { Question } from 'survey-core';
import type { Part } from '../definition.ts';
import type { ExpressionValues } from '../expressions.ts';
import type { Fault } from '../fault.ts';
import type { FormExpressions } from '../form-expressions.ts';
import type { AnswerShape, ShapeContext } from './shapes.ts';

/** Says what is wrong with an answer (undefined when missing), given all of them, or null. */
export type AnswerRule = (value: unknown, values: ExpressionValues) => Fault | null;

/** A question of survey-core's model that lies inside of another, and what issues add to the other's path. */
export type InnerQuestion = readonly [question: Question, path: string];

/** All that the engine knows of one type of element. What is absent does not apply to it. */
export interface ElementType {
  /** What an element without an answer from a visitor is: it holds elements, shows something or computes a value. */
  readonly role?: 'panel' | 'display' | 'computed';
  /** Names what of an element compiled rules cannot judge, null when there is nothing. Absent: they never can. */
  readonly findObstacle?: (element: Part) => string | null;
  /** What an answer looks like, whatever the state of the form. Absent: like anything of a sensible size. */
  readonly compileShape?: (element: Part, context: ShapeContext) => AnswerShape;
  /** What must hold of an answer beside what holds for all: required, validators. */
  readonly compileRules?: (element: Part, expressions: FormExpressions) => AnswerRule[];
  /** The text questions that its answer consists of, by their names. */
  readonly items?: (element: Part) => Part[];
  /** Elements that are shown while their choice is selected; their answers lie beside those of all others. */
  readonly inChoices?: (element: Part) => Part[];
  /** The same of survey-core's model: those that are shown at present. */
  readonly shownInChoices?: (question: Question) => readonly Question[];
  /** Whether totals stand beside its answer. */
  readonly hasTotals?: boolean;
  /** The questions inside of one of survey-core's model, for the faults that it finds there. */
  readonly inside?: (question: Question) => readonly InnerQuestion[];
  /** Properties of which survey-core creates as many things as they say, as soon as it reads a form. */
  readonly counts?: readonly string[];
  /** Properties that hold plain values here and objects of their own in other types. */
  readonly plainLists?: readonly string[];
}
