/**
 * One submission checked by survey-core's full model. Runs only inside the worker of `full-model.ts`: a hostile form
 * or submission may keep it busy for as long as the deadline allows, or fill its memory.
 */

import {
  Model,
  PanelModel,
  type Question,
  QuestionCheckboxModel,
  QuestionMatrixDropdownModelBase,
  QuestionMatrixDynamicModel,
  QuestionMultipleTextModel,
  QuestionPanelDynamicModel,
  QuestionRadiogroupModel,
  type SurveyError,
} from 'survey-core';
import type { Issue } from '../../../errors/app-error.ts';
import { COMMENT_SUFFIX, type FormDefinition, isEmptyAnswer, isObject, TOTAL_SUFFIX } from './definition.ts';
import { outlineForm } from './form-outline.ts';
import { hasUnknownChoices, toModelDefinition } from './model-definition.ts';
import { compileSkippedPages } from './navigation.ts';

/** What the model found wrong with one question or panel of the form, or inside it. */
export interface ModelFault {
  /** Its name. */
  readonly name: string;
  /** At least one. */
  readonly issues: readonly Issue[];
}

/** What the model makes of a submission. */
export interface ModelVerdict {
  readonly faults: readonly ModelFault[];
  /** Names of the questions that are visible, themselves and all that they are in. */
  readonly visible: readonly string[];
  /** The answers a browser would send: without those of hidden questions, with computed values. */
  readonly answers: Record<string, unknown>;
}

/** Builds the model of a form, gives it the answers and asks for its verdict. Throws when survey-core does. */
export function runFullModel(definition: FormDefinition, answers: Record<string, unknown>): ModelVerdict {
  const model = new Model(toModelDefinition(definition));
  // survey-core removes a value that is in no list of choices, also from lists that only a browser knows.
  model.keepIncorrectValues = hasUnknownChoices(definition);
  model.data = answers;
  model.validate(true, false);
  const questions = model.getAllQuestions();
  const visible = questions.flatMap(shownWithin);
  const outline = outlineForm(definition);
  const pages = new Map<unknown, number>(model.pages.map((page, index) => [page, index]));
  const skipped = compileSkippedPages(
    definition,
    outline,
  )({
    ...answers,
    ...model.getFilteredValues(),
  });
  // What has no answer is no fault when its page was never shown.
  const isSkipped = (element: Question | PanelModel) => skipped.has(pages.get(element.page) ?? -1);
  const faults = visible.map((question): ModelFault => {
    const { name } = question;
    const lost = lostAnswer(question, answers[question.getValueName()]);
    if (lost !== null) return { name, issues: [{ field: name, message: lost }] };
    return { name, issues: question.isEmpty() && isSkipped(question) ? [] : collectIssues(question, name) };
  });
  for (const panel of model.getAllPanels()) {
    if (!(panel instanceof PanelModel) || isSkipped(panel)) continue;
    const issues = blocking(panel.errors).map((message) => ({ field: panel.name, message }));
    faults.push({ name: panel.name, issues });
  }
  writeTotals(model);
  model.doComplete();
  dropTotals(model);
  const accepted = toJson(model.data);
  // survey-core keeps the answers of questions inside of choices that are not selected.
  const kept = new Set([...questions, ...visible].map((question) => question.getValueName()));
  for (const { key } of outline.questions) {
    if (kept.has(key)) continue;
    delete accepted[key];
    delete accepted[`${key}${COMMENT_SUFFIX}`];
    if (outline.keys.get(`${key}${TOTAL_SUFFIX}`) === 'computed') delete accepted[`${key}${TOTAL_SUFFIX}`];
  }
  return {
    faults: faults.filter(({ issues }) => issues.length > 0),
    visible: visible.map((question) => question.name),
    answers: accepted,
  };
}

/** A browser sends the totals of matrices inside of panels; the model computes them, but writes them only on a change. */
function writeTotals(model: Model): void {
  for (const matrix of matricesWithTotals(model)) {
    if (!matrix.isEmpty()) matrix.data.setValue(totalKey(matrix), matrix.totalValue, false, false);
  }
}

/** Removes the totals of matrices without an answer, which survey-core leaves when it clears a hidden one. */
function dropTotals(model: Model): void {
  for (const matrix of matricesWithTotals(model)) {
    if (matrix.isEmpty()) matrix.data.setValue(totalKey(matrix), undefined, false, false);
  }
}

/** Also those inside of repeated panels. */
function matricesWithTotals(model: Model): QuestionMatrixDropdownModelBase[] {
  const questions = model.getAllQuestions(false, false, true);
  return questions
    .filter((question) => question instanceof QuestionMatrixDropdownModelBase)
    .filter((matrix) => matrix.hasTotal);
}

function totalKey(matrix: Question): string {
  return `${matrix.getValueName()}${TOTAL_SUFFIX}`;
}

/** A question and those inside of its selected choices, as far as they are shown. */
function shownWithin(question: Question): Question[] {
  if (!isShown(question)) return [];
  const holdsElements =
    question instanceof QuestionCheckboxModel || question instanceof QuestionRadiogroupModel;
  const choices = holdsElements ? question.visibleChoices.filter((choice) => choice.isPanelShowing) : [];
  return [question, ...choices.flatMap((choice) => choice.panel.questions.flatMap(shownWithin))];
}

/** The faults of a question and of those inside it, each under its path: `panel[0].question`, `matrix.row.column`. */
function collectIssues(question: Question, field: string): Issue[] {
  const own = blocking(question.errors).map((message) => ({ field, message }));
  return [...own, ...inside(question, field).flatMap(([inner, path]) => collectIssues(inner, path))];
}

function inside(question: Question, field: string): [Question, string][] {
  if (question instanceof QuestionPanelDynamicModel) {
    return question.panels.flatMap((panel, index) => {
      return panel.questions
        .filter(isShown)
        .map((inner): [Question, string] => [inner, `${field}[${index}].${inner.name}`]);
    });
  }
  if (question instanceof QuestionMatrixDropdownModelBase) {
    const isDynamic = question instanceof QuestionMatrixDynamicModel;
    return (question.visibleRows ?? []).flatMap((row, index) => {
      const at = isDynamic ? `${field}[${index}]` : `${field}.${row.rowName}`;
      return row.questions.filter(isShown).map((inner): [Question, string] => [inner, `${at}.${inner.name}`]);
    });
  }
  if (question instanceof QuestionMultipleTextModel) {
    return question.items.map((item): [Question, string] => [item.editor, `${field}.${item.name}`]);
  }
  return [];
}

function isShown(question: Question): boolean {
  return question.isVisible && question.isParentVisible;
}

function blocking(errors: readonly SurveyError[]): string[] {
  return errors
    .filter((error) => error.notificationType !== 'warning' && error.notificationType !== 'info')
    .map((error) => error.getText());
}

/** survey-core silently removes what is no choice at present, such as one that another question did not offer. */
function lostAnswer(question: Question, given: unknown): string | null {
  if (isEmptyAnswer(given)) return null;
  const kept: unknown = question.value;
  const isCut = Array.isArray(given) && Array.isArray(kept) && kept.length < given.length;
  return isCut || question.isEmpty() ? 'is not one of the values offered' : null;
}

/** Drops what does not survive a message between threads or a database. */
function toJson(data: unknown): Record<string, unknown> {
  const copy: unknown = JSON.parse(JSON.stringify(data));
  return isObject(copy) ? { ...copy } : {};
}
