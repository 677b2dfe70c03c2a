/**
 * Forms with a time limit. When the time runs out, survey-core completes the form after checking the page that it
 * shows: later pages may lack required answers.
 */

import { isEmptyAnswer, isObject, type Part } from './definition.ts';
import type { ExpressionValues } from './expressions.ts';
import { isComputed, type Outline } from './outline.ts';

/** Compiles the numbers of the pages after the last one with an answer; undefined for a form without a time limit. */
export function compileUnreachedPages({
  form,
  questions,
}: Outline): ((values: ExpressionValues) => ReadonlySet<number>) | undefined {
  const pages = form.parts('pages').map((_page, index) => index);
  const mode = form.text('questionsOnPageMode') ?? 'standard';
  if (!isTimed(form) || mode === 'singlePage') return undefined;
  // In this mode survey-core checks nothing until the last page.
  if (form.text('checkErrorsMode') === 'onComplete')
    return pages.length > 1 ? () => new Set(pages) : undefined;
  const isPageWhole = mode === 'standard';
  const start = form.flag('firstPageIsStartPage', 'firstPageIsStarted') ? 1 : 0;
  const answerable = questions.filter(({ element }) => !isComputed(element) && !isPreset(element.json));
  return (values) => {
    const answered = answerable.filter(({ key }) => hasContent(values[key])).map(({ page }) => page);
    const reached = Math.max(start, ...answered);
    return new Set(pages.filter((page) => page > reached || (page === reached && !isPageWhole)));
  };
}

function isTimed(form: Part): boolean {
  const location = form.text('showTimerPanel') ?? 'none';
  const showsTimer = form.flag('showTimer') || location !== 'none';
  return showsTimer && form.positive('timeLimit', 'maxTimeToFinish') !== undefined;
}

/** Returns true if the form itself may set the answer, which then does not prove that its page was shown. */
function isPreset(part: unknown): boolean {
  if (Array.isArray(part)) return part.some(isPreset);
  if (!isObject(part)) return false;
  return Object.entries(part).some(([name, value]) => /^(default|setValue)/.test(name) || isPreset(value));
}

/** Returns true unless a value consists of empty rows or panels, which the form itself creates. */
function hasContent(value: unknown): boolean {
  return Array.isArray(value) ? value.some(hasContent) : !isEmptyAnswer(value);
}
