/** The first reading of an answers object from outside: its size, its keys, the shape of every answer. */

import type { Issue } from '../../../errors/app-error.ts';
import { type AnswerShape, compileCommentShape, opaqueShape } from './answer-shape.ts';
import { compileShape } from './container-shape.ts';
import { type FormDefinition, isEmptyAnswer, isObject } from './definition.ts';
import type { ExpressionValues } from './expressions.ts';
import type { FormOutline } from './form-outline.ts';
import { PatternBudget } from './text-patterns.ts';
import { findExcess } from './value-bounds.ts';

/** What came in, sorted. */
export interface Intake {
  /** Well-formed, non-empty answers by key; without values that the form computes itself. Fresh, the caller's to change. */
  readonly values: ExpressionValues;
  /** Faults of the answers object as such: it cannot be accepted whatever the form's state. */
  readonly issues: Issue[];
  /** Faults by key of an answer: they count only when its question is visible. */
  readonly malformed: ReadonlyMap<string, Issue[]>;
}

const BOUNDS = { maxDepth: 10, maxNodes: 50_000, maxArrayLength: 1000 };
/** More would only repeat themselves in the reply. */
export const MAX_ISSUES = 100;

const NOT_MALFORMED: ReadonlyMap<string, Issue[]> = new Map();

/** Compiles the intake of a form; the returned function never throws and takes time linear in the answers' size. */
export function compileIntake(
  definition: FormDefinition,
  outline: FormOutline,
): (answers: unknown) => Intake {
  const slots = compileSlots(definition, outline);
  return (answers) => {
    const values: ExpressionValues = {};
    const issues: Issue[] = [];
    if (!isObject(answers)) return refuse('must be an object');
    const excess = findExcess(answers, BOUNDS);
    if (excess !== null) return refuse(excess);
    const budget = new PatternBudget();
    let malformed: Map<string, Issue[]> | undefined;
    for (const key of Object.keys(answers)) {
      const slot = slots.get(key);
      if (slot === undefined) {
        if (
          issues.push({ field: key.slice(0, 200), message: 'is not a question of this form' }) === MAX_ISSUES
        )
          break;
        continue;
      }
      const value = answers[key];
      if (slot.shape === null || isEmptyAnswer(value)) continue;
      const faults: Issue[] = [];
      slot.shape(value, slot.field, { issues: faults, budget });
      if (faults.length === 0) values[key] = value;
      else if (slot.isExtra) issues.push(...faults);
      else {
        malformed ??= new Map();
        malformed.set(key, faults);
      }
    }
    return { values, issues, malformed: malformed ?? NOT_MALFORMED };
  };
}

function refuse(message: string): Intake {
  return {
    values: Object.create(null),
    issues: [{ message: `form_data ${message}` }],
    malformed: NOT_MALFORMED,
  };
}

interface Slot {
  /** What issues name: the question's name, also when its key is a `valueName`. */
  readonly field: string;
  /** Null for values that the form computes: whatever came in is ignored. */
  readonly shape: AnswerShape | null;
  /** Belongs to no question that could be hidden. */
  readonly isExtra: boolean;
}

function compileSlots(definition: FormDefinition, outline: FormOutline): Map<string, Slot> {
  const comment = compileCommentShape(definition);
  const slots = new Map<string, Slot>();
  for (const [key, kind] of outline.keys) {
    if (key in Object.prototype) continue;
    if (kind === 'comment') slots.set(key, { field: key, shape: comment, isExtra: false });
    if (kind === 'computed') slots.set(key, { field: key, shape: null, isExtra: true });
    if (kind === 'extra') slots.set(key, { field: key, shape: opaqueShape, isExtra: true });
  }
  const byKey = Map.groupBy(
    outline.questions.filter((question) => question.type !== 'expression'),
    (question) => question.key,
  );
  for (const [key, questions] of byKey) {
    const shapes = questions.map((question) => compileShape(question.element, definition));
    const [first] = shapes;
    const shape = shapes.length === 1 && first !== undefined ? first : opaqueShape;
    slots.set(key, { field: questions[0]?.name ?? key, shape, isExtra: false });
  }
  return slots;
}
