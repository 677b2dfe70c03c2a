import { type Model, type Question, QuestionMatrixDropdownModelBase } from 'survey-core';
import { isObject, itemValue, Part, TOTAL_SUFFIX } from '../definition.ts';
import { scalarKey } from './choices.ts';
import { type ElementType, type InnerQuestion, isShown } from './element-type.ts';
import { type AnswerShape, listOf, record, type ShapeContext } from './shapes.ts';

/** What survey-core offers in a matrix that lists no choices. */
const DEFAULT_CHOICES = [1, 2, 3, 4, 5];

/** A question per column in each of the form's rows. */
export const matrixdropdown: ElementType = {
  compileShape(element, context) {
    const row = rowShape(element, context);
    return record(new Map(element.list('rows').map((entry) => [scalarKey(itemValue(entry)), row])));
  },
  inside: (question, field) => cells(question, (_index, row) => `${field}.${row}`),
  hasTotals: true,
};

/** A question per column in each row that the visitor adds. */
export const matrixdynamic: ElementType = {
  compileShape: (element, context) => listOf(rowShape(element, context)),
  inside: (question, field) => cells(question, (index) => `${field}[${index}]`),
  hasTotals: true,
  counts: ['rowCount', 'minRowCount'],
};

function rowShape(matrix: Part, { membersOf }: ShapeContext): AnswerShape {
  const columns = matrix.list('columns').map((entry) => columnElement(entry, matrix));
  return record(membersOf([...matrix.parts('detailElements'), ...columns]));
}

/** A column is a question of its `cellType`, with the matrix's choices unless it has its own. */
function columnElement(entry: unknown, matrix: Part): Part {
  const column = new Part(isObject(entry) ? entry : { name: itemValue(entry) });
  const ownType = column.text('cellType') ?? 'default';
  const type = ownType === 'default' ? (matrix.text('cellType') ?? 'dropdown') : ownType;
  const lists = [column.list('choices'), matrix.list('choices'), DEFAULT_CHOICES];
  return column.with({ type, choices: lists.find((list) => list.length > 0), valueName: undefined });
}

function cells(question: Question, pathOf: (index: number, row: string) => string): InnerQuestion[] {
  if (!(question instanceof QuestionMatrixDropdownModelBase)) return [];
  return (question.visibleRows ?? []).flatMap((row, index) =>
    row.questions
      .filter(isShown)
      .map((inner): InnerQuestion => [inner, `${pathOf(index, row.rowName)}.${inner.name}`]),
  );
}

/** A browser sends the totals of matrices inside of panels; the model computes them, but writes them only on a change. */
export function writeTotals(model: Model): void {
  for (const matrix of matricesWithTotals(model)) {
    if (!matrix.isEmpty()) setTotals(matrix, matrix.totalValue);
  }
}

/** Removes the totals of matrices without an answer, which survey-core leaves when it clears a hidden one. */
export function dropTotals(model: Model): void {
  for (const matrix of matricesWithTotals(model)) if (matrix.isEmpty()) setTotals(matrix, undefined);
}

/** Also those inside of repeated panels. */
function matricesWithTotals(model: Model): QuestionMatrixDropdownModelBase[] {
  return model
    .getAllQuestions(false, false, true)
    .filter((question) => question instanceof QuestionMatrixDropdownModelBase)
    .filter((matrix) => matrix.hasTotal);
}

function setTotals(matrix: QuestionMatrixDropdownModelBase, totals: unknown): void {
  matrix.data.setValue(`${matrix.getValueName()}${TOTAL_SUFFIX}`, totals, false, false);
}
