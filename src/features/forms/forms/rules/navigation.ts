/**
 * Pages that a browser never showed: after a `complete` trigger, between both ends of a `skip` trigger, or after the
 * page on which the time ran out. Missing answers on them are not faults.
 */

import type { Part } from './definition.ts';
import { type ExpressionValues, ifCompilable } from './expressions.ts';
import type { FormExpressions } from './form-expressions.ts';
import type { Outline } from './outline.ts';
import { compileUnreachedPages } from './time-limit.ts';

/** Returns the numbers of skipped pages, given the answers. */
export type SkippedPages = (values: ExpressionValues) => ReadonlySet<number>;

const NONE: ReadonlySet<number> = new Set();

/** Compiles the triggers and the time limit of a form to the pages that a browser did not show. */
export function compileSkippedPages(outline: Outline, expressions: FormExpressions): SkippedPages {
  const jumped = compileJumps(outline, expressions);
  const unreached = compileUnreachedPages(outline);
  return unreached === undefined ? jumped : (values) => jumped(values).union(unreached(values));
}

/** Compiles a form's `complete` and `skip` triggers. Triggers that depend on the survey's state are ignored. */
function compileJumps(outline: Outline, expressions: FormExpressions): SkippedPages {
  const pageOf = new Map(outline.questions.map(({ key, page }) => [key.toLowerCase(), page]));
  const jumps = outline.form.parts('triggers').flatMap((trigger) => {
    const to = targetPage(trigger, outline);
    const text = trigger.text('expression');
    if (text === undefined || to === undefined) return [];
    const expression = ifCompilable(() => expressions.compile(text));
    if (expression === undefined) return [];
    const from = Math.max(
      0,
      ...expression.variables.map((name) => pageOf.get(name.split('.', 1)[0] ?? '') ?? 0),
    );
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

/** Returns the page where a browser continues; undefined for other triggers. */
function targetPage(trigger: Part, { form, questions }: Outline): number | undefined {
  const type = trigger.type.replace(/trigger$/, '');
  if (type === 'complete') return form.parts('pages').length;
  const name = type === 'skip' ? trigger.text('gotoName') : undefined;
  return questions.find((question) => name === question.name || name === question.key)?.page;
}
