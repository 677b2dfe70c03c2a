/**
 * Pages that a browser never showed: after a `complete` trigger, or between the two ends of a `skip` trigger. Nothing
 * on them was asked, so a missing answer there is no fault.
 */

import { answerKey, elementName, type FormDefinition, readObjects, readText } from './definition.ts';
import { compileExpression, type ExpressionValues, expressionVariables } from './expressions.ts';
import type { FormOutline } from './form-outline.ts';

/** The indexes of pages that were jumped over, given the answers. */
export type SkippedPages = (values: ExpressionValues) => ReadonlySet<number>;

const NONE: ReadonlySet<number> = new Set();

/** Compiles a form's `complete` and `skip` triggers; a trigger whose expression needs the survey's state is ignored. */
export function compileSkippedPages(definition: FormDefinition, outline: FormOutline): SkippedPages {
  const pageOf = new Map(outline.questions.map((question) => [question.key.toLowerCase(), question.page]));
  const known = new Set(pageOf.keys());
  const pageCount = readObjects(definition, 'pages').length;
  const jumps = readObjects(definition, 'triggers').flatMap((trigger) => {
    const type = (readText(trigger, 'type') ?? '').replace(/trigger$/, '');
    const text = readText(trigger, 'expression');
    const to = type === 'complete' ? pageCount : type === 'skip' ? targetPage(trigger, outline) : undefined;
    const expression = text === undefined ? null : compileExpression(text, known);
    if (text === undefined || expression === null || to === undefined) return [];
    const from = Math.max(0, ...expressionVariables(text).map((name) => pageOf.get(name) ?? 0));
    return [{ expression, from, to }];
  });
  if (jumps.length === 0) return () => NONE;
  return (values) => {
    const skipped = new Set<number>();
    for (const { expression, from, to } of jumps) {
      if (expression(values) !== true) continue;
      for (let page = from + 1; page < to; page += 1) skipped.add(page);
    }
    return skipped;
  };
}

function targetPage(trigger: Readonly<Record<string, unknown>>, outline: FormOutline): number | undefined {
  const name = readText(trigger, 'gotoName');
  const target = outline.questions.find(
    ({ element }) => name === elementName(element) || name === answerKey(element),
  );
  return target?.page;
}
