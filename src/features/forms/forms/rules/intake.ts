/** First check of the submitted answers: total size, keys and the shape of each answer. */

import { MAX_ISSUES } from '../../../../errors/app-error.ts';
import type { PatternMatches } from '../../../../patterns/pattern-matches.ts';
import { COMMENT_SUFFIX, isEmptyAnswer, isObject, type Part, TOTAL_SUFFIX } from './definition.ts';
import { elementTypeOf } from './elements/index.ts';
import { type AnswerShape, commentShape, Findings, opaque, type ShapeContext } from './elements/shapes.ts';
import type { ExpressionValues } from './expressions.ts';
import { type FoundFault, fault } from './fault.ts';
import { isComputed, type Outline } from './outline.ts';
import { withPatterns } from './validators.ts';
import { findExcess } from './value-bounds.ts';

/** Result of the first check. */
export interface Intake {
  /**
   * Well-formed, non-empty answers by key, without values that the form computes. A new object that the caller may
   * change.
   */
  readonly values: ExpressionValues;
  /** Faults of the answers as a whole, which are refused whatever is visible. */
  readonly faults: FoundFault[];
  /** Faults by key of the answer; they count only if its question is visible. */
  readonly malformed: ReadonlyMap<string, FoundFault[]>;
}

const UNKNOWN = fault('is not a question of this form', 'unknownQuestion');
const BOUNDS = { maxDepth: 10, maxNodes: 50_000, maxArrayLength: 1000 };

/** Rules for one key of the answers. */
interface Slot {
  /** Name in issues: that of the question, even if its key is a `valueName`. */
  readonly field: string;
  /** Undefined for values that the form computes; submitted values are ignored. */
  readonly shape?: AnswerShape;
  /** True if it belongs to no question that could be hidden. */
  readonly isExtra?: boolean;
}

/** Compiles the first check of a form. The returned function never throws and takes linear time. */
export function compileIntake(outline: Outline): (answers: unknown, patterns: PatternMatches) => Intake {
  const slots = compileSlots(outline);
  return (answers, patterns) => {
    const values: ExpressionValues = {};
    const faults: FoundFault[] = [];
    const malformed = new Map<string, FoundFault[]>();
    const excess = isObject(answers) ? findExcess(answers, BOUNDS) : 'must be an object';
    if (!isObject(answers) || excess !== null)
      return { values, faults: [{ fault: fault(`form_data ${excess}`, 'tooMuch') }], malformed };
    const found = new Findings(patterns);
    for (const key of Object.keys(answers)) {
      const slot = slots.get(key);
      if (slot === undefined) {
        faults.push({ field: key.slice(0, 200), fault: UNKNOWN });
        if (faults.length === MAX_ISSUES) break;
        continue;
      }
      const value = answers[key];
      if (slot.shape === undefined || isEmptyAnswer(value)) continue;
      slot.shape(value, slot.field, found);
      if (found.faults.length === 0) {
        values[key] = value;
        continue;
      }
      if (slot.isExtra) faults.push(...found.faults);
      else malformed.set(key, found.faults);
      found.faults = [];
    }
    return { values, faults, malformed };
  };
}

/** By key. If two parts of a form have the same key, the later one applies. */
function compileSlots({ form, questions }: Outline): Map<string, Slot> {
  const slots = new Map<string, Slot>();
  const add = (field: string, slot: Omit<Slot, 'field'>): unknown => slots.set(field, { field, ...slot });
  for (const trigger of form.parts('triggers')) {
    const target = trigger.text('setToName');
    const isAnswer = target !== undefined && !trigger.flag('isVariable') && !(target in Object.prototype);
    if (isAnswer) add(target, { shape: opaque, isExtra: true });
  }
  for (const value of form.parts('calculatedValues'))
    if (value.flag('includeIntoResult')) add(value.name, {});
  const elements = questions.map(({ element }) => element);
  for (const element of elements) {
    if (elementTypeOf(element).hasTotals) add(`${element.key}${TOTAL_SUFFIX}`, {});
    const hasComment =
      element.flag('showCommentArea', 'hasComment') || element.flag('showOtherItem', 'hasOther');
    if (hasComment) add(`${element.key}${COMMENT_SUFFIX}`, { shape: commentShape(form) });
  }
  for (const element of elements.filter(isComputed)) add(element.key, {});
  const { shapeOf } = compileShapes(form);
  const answered = elements.filter((element) => !isComputed(element));
  for (const [key, [first, ...others]] of Map.groupBy(answered, (element) => element.key)) {
    const shape = first !== undefined && others.length === 0 ? shapeOf(first) : opaque;
    slots.set(key, { field: first?.name ?? key, shape });
  }
  return slots;
}

/** Compiles the shapes of a form's answers. */
function compileShapes(form: Part): ShapeContext {
  const shapeOf = (element: Part): AnswerShape =>
    withPatterns(elementTypeOf(element).compileShape?.(element, context) ?? opaque, element);
  // Inner panels are flattened; the full model checks totals.
  const membersOf = (elements: readonly Part[]): Map<string, AnswerShape> =>
    new Map(
      elements.flatMap((element): [string, AnswerShape][] => {
        const { role, hasTotals } = elementTypeOf(element);
        if (role === 'panel') return [...membersOf(element.children)];
        const totals: [string, AnswerShape][] = hasTotals ? [[`${element.key}${TOTAL_SUFFIX}`, opaque]] : [];
        const comment = commentShape(form);
        return [[element.key, shapeOf(element)], [`${element.key}${COMMENT_SUFFIX}`, comment], ...totals];
      }),
    );
  const context = { form, shapeOf, membersOf };
  return context;
}
