import {
  type Model,
  type Question,
  QuestionMatrixDropdownModelBase,
  QuestionMatrixDynamicModel,
} from 'survey-core';
import { isObject, itemValue, Part, TOTAL_SUFFIX } from '../definition.ts';
import { scalarKey } from './choices.ts';
import type { ElementType, InnerQuestion } from './element-type.ts';
import { type AnswerShape, listOf, record, type ShapeContext } from './shapes.ts';

/** survey-core's default choices in a matrix. */
const DEFAULT_CHOICES = [1, 2, 3, 4, 5];

/** One column per row, or several if cells are checkboxes; a matrix without rows is a single choice. */
export const matrix: ElementType = {
  compileShape(element, { shapeOf }) {
    const type = element.text('cellType') === 'checkbox' ? 'checkbox' : 'dropdown';
    const cell = shapeOf(new Part({ type, choices: element.list('columns') }));
    return element.list('rows').length === 0 ? cell : perRow(element, cell);
  },
  hasTotals: true,
  plainLists: ['columns'],
};

/** One question per column in each of the form's rows. */
export const matrixdropdown: ElementType = {
  compileShape: (element, context) => perRow(element, rowShape(element, context)),
  inside: cells,
  hasTotals: true,
};

/** One question per column in each row that the visitor adds. */
export const matrixdynamic: ElementType = {
  compileShape: (element, context) => listOf(rowShape(element, context)),
  inside: cells,
  hasTotals: true,
  counts: ['rowCount', 'minRowCount'],
};

function perRow(matrix: Part, shape: AnswerShape): AnswerShape {
  return record(new Map(matrix.list('rows').map((row) => [scalarKey(itemValue(row)), shape])));
}

function rowShape(matrix: Part, { membersOf }: ShapeContext): AnswerShape {
  const columns = matrix.list('columns').map((entry) => columnElement(entry, matrix));
  return record(membersOf([...matrix.parts('detailElements'), ...columns]));
}

/** Returns a column as a question of its `cellType`, with the matrix's choices unless it has its own. */
function columnElement(entry: unknown, matrix: Part): Part {
  const column = new Part(isObject(entry) ? entry : { name: itemValue(entry) });
  const ownType = column.text('cellType') ?? 'default';
  const type = ownType === 'default' ? (matrix.text('cellType') ?? 'dropdown') : ownType;
  const lists = [column.list('choices'), matrix.list('choices'), DEFAULT_CHOICES];
  return column.with({ type, choices: lists.find((list) => list.length > 0), valueName: undefined });
}

/** Rows added by visitors are numbered; rows of the form have names. */
function cells(question: Question): InnerQuestion[] {
  if (!(question instanceof QuestionMatrixDropdownModelBase)) return [];
  const isDynamic = question instanceof QuestionMatrixDynamicModel;
  return (question.visibleRows ?? []).flatMap((row, index) => {
    const path = isDynamic ? `[${index}]` : `.${row.rowName}`;
    return row.questions.map((inner): InnerQuestion => [inner, `${path}.${inner.name}`]);
  });
}

/**
 * Stores the totals of matrices inside panels. Browsers send them, but the model on the server writes them only after
 * a change.
 */
export function writeTotals(model: Model): void {
  for (const matrix of matricesWithTotals(model)) if (!matrix.isEmpty()) setTotals(matrix, matrix.totalValue);
}

/** Removes the totals of matrices without an answer: survey-core leaves them when it clears a hidden matrix. */
export function dropTotals(model: Model): void {
  for (const matrix of matricesWithTotals(model)) if (matrix.isEmpty()) setTotals(matrix, undefined);
}

/**
 * Clears hidden cells and hidden questions of detail panels, unless the form keeps them. survey-core does this only in
 * panels.
 */
export function dropHiddenCells(model: Model): void {
  if (model.clearInvisibleValues === 'none') return;
  for (const matrix of matricesOf(model))
    for (const row of matrix.visibleRows ?? [])
      for (const question of row.questions) question.clearValueIfInvisible('onComplete');
}

function matricesWithTotals(model: Model): QuestionMatrixDropdownModelBase[] {
  return matricesOf(model).filter((matrix) => matrix.hasTotal);
}

/** Returns the matrices of a form, including those inside repeated panels and other matrices. */
function matricesOf(model: Model): QuestionMatrixDropdownModelBase[] {
  return model
    .getAllQuestions(false, false, true)
    .filter((question) => question instanceof QuestionMatrixDropdownModelBase);
}

function setTotals(matrix: QuestionMatrixDropdownModelBase, totals: unknown): void {
  matrix.data.setValue(`${matrix.getValueName()}${TOTAL_SUFFIX}`, totals, false, false);
}
