/**
 * Checks a submission with survey-core's full model. Runs only in the worker of `full-model.ts`: a hostile form or
 * submission may keep it busy until the deadline, or fill its memory.
 */

import { Model, PanelModel, type Question, type SurveyError, surveyLocalization } from 'survey-core';
import 'survey-core/i18n';
import { type FormDefinition, isEmptyAnswer, isObject, TOTAL_SUFFIX } from './definition.ts';
import { elementTypeOf } from './elements/index.ts';
import { dropHiddenCells, dropTotals, writeTotals } from './elements/matrices.ts';
import { type FoundFault, fault } from './fault.ts';
import { FormExpressions } from './form-expressions.ts';
import { toModelDefinition } from './model-definition.ts';
import { compileSkippedPages } from './navigation.ts';
import { type Outline, outlineForm } from './outline.ts';

/** API callers get survey-core's English messages, whatever the form's language. */
const translated = surveyLocalization.locales;
const english = { en: translated.en };

/** Input of a run. */
export interface FullModelRequest {
  readonly definition: FormDefinition;
  readonly answers: Record<string, unknown>;
  /** Language of messages; undefined for API callers. */
  readonly locale?: string | undefined;
  /** Time zone of the visitor; undefined if unknown. */
  readonly timeZone?: string | undefined;
}

/** The full model's result for a submission. */
export interface ModelVerdict {
  /** Faults of each question that is visible together with everything around it, and of each panel (without key). */
  readonly shown: readonly { readonly key?: string; readonly faults: readonly FoundFault[] }[];
  /** The answers that a browser would send: without those of hidden questions, with computed values. */
  readonly answers: Record<string, unknown>;
}

/** Builds the model of a form, sets the answers and returns the result. @throws the errors of survey-core. */
export function runFullModel({ definition, answers, locale }: FullModelRequest): ModelVerdict {
  const outline = outlineForm(definition);
  const { json, hasUnknownChoices } = toModelDefinition(definition);
  surveyLocalization.locales = locale === undefined ? english : translated;
  const model = new Model(json);
  if (locale !== undefined) model.locale = locale;
  // survey-core removes values that are not among the choices, even if only a browser can know the choices.
  model.keepIncorrectValues = hasUnknownChoices;
  model.data = answers;
  model.validate(true, false);
  const questions = model.getAllQuestions();
  const visible = questions.flatMap(shownWithin);
  const shown = findFaults(model, visible, outline, answers);
  dropHiddenCells(model);
  writeTotals(model);
  model.doComplete();
  dropTotals(model);
  // survey-core keeps the answers of questions inside choices that are not selected.
  const visibleNames = new Set([...questions, ...visible].map((question) => question.getValueName()));
  const accepted = toJson(model.data);
  const unselected = outline.questions.filter(({ key }) => !visibleNames.has(key));
  for (const key of unselected.flatMap(({ key, commentKey }) => [key, commentKey, `${key}${TOTAL_SUFFIX}`]))
    if (!visibleNames.has(key)) delete accepted[key];
  return { shown, answers: accepted };
}

const LOST = fault('is not one of the values offered', 'notOffered');

/** Returns the faults of visible questions and panels, without missing answers on pages that were never shown. */
function findFaults(
  model: Model,
  visible: readonly Question[],
  outline: Outline,
  answers: Record<string, unknown>,
): ModelVerdict['shown'] {
  const skippedPages = compileSkippedPages(outline, new FormExpressions(outline));
  const skipped = skippedPages({ ...answers, ...model.getFilteredValues() });
  const pages = new Map<unknown, number>(model.pages.map((page, index) => [page, index]));
  const isSkipped = (element: Question | PanelModel) => skipped.has(pages.get(element.page) ?? -1);
  const ofQuestions = visible.map((question) => {
    const { name } = question;
    const key = question.getValueName();
    if (isLost(question, answers[key])) return { key, faults: [{ field: name, fault: LOST }] };
    return { key, faults: question.isEmpty() && isSkipped(question) ? [] : collectFaults(question, name) };
  });
  const ofPanels = model
    .getAllPanels()
    .filter((panel) => panel instanceof PanelModel)
    .map((panel) => ({ faults: isSkipped(panel) ? [] : blocking(panel.errors, panel.name) }));
  return [...ofQuestions, ...ofPanels];
}

/** Returns a question and the questions of its selected choices, if they are shown. */
function shownWithin(question: Question): Question[] {
  if (!isShown(question)) return [];
  const inChoices = typeOf(question).shownInChoices?.(question) ?? [];
  return [question, ...inChoices.flatMap(shownWithin)];
}

/**
 * Collects the faults of a question and of those inside it, with their paths: `panel[0].question`,
 * `matrix.row.column`.
 */
function collectFaults(question: Question, field: string): FoundFault[] {
  const inside = (typeOf(question).inside?.(question) ?? []).filter(([inner]) => isShown(inner));
  return [
    ...blocking(question.errors, field),
    ...inside.flatMap(([inner, path]) => collectFaults(inner, `${field}${path}`)),
  ];
}

/** Returns true if a question and everything around it are visible. */
function isShown(question: Question): boolean {
  return question.isVisible && question.isParentVisible;
}

function typeOf(question: Question) {
  return elementTypeOf({ type: question.getType() });
}

function blocking(errors: readonly SurveyError[], field: string): FoundFault[] {
  return errors
    .filter(({ notificationType }) => notificationType !== 'warning' && notificationType !== 'info')
    .map((error) => ({ field, fault: { custom: error.getText() } }));
}

/**
 * Returns true if the model dropped the answer or part of it: survey-core silently removes values that are currently
 * not a choice.
 */
function isLost(question: Question, sent: unknown): boolean {
  if (isEmptyAnswer(sent)) return false;
  const remaining: unknown = question.value;
  const isShortened = Array.isArray(sent) && Array.isArray(remaining) && remaining.length < sent.length;
  return isShortened || question.isEmpty();
}

/** Removes values that cannot be sent between threads or stored. */
function toJson(data: unknown): Record<string, unknown> {
  const copy: unknown = JSON.parse(JSON.stringify(data));
  return isObject(copy) ? { ...copy } : {};
}
