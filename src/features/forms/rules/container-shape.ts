/** Shapes of answers that hold answers: matrices, repeated panels, several texts, files. */

import {
  type AnswerShape,
  compileCommentShape,
  compileInputShape,
  compileScalarShape,
  opaqueShape,
} from './answer-shape.ts';
import { scalarKey } from './choice-set.ts';
import {
  answerKey,
  COMMENT_SUFFIX,
  childElements,
  elementName,
  elementType,
  isEmptyAnswer,
  isObject,
  isPanel,
  itemValue,
  type JsonObject,
  readList,
  readObjects,
  readText,
  TOTAL_SUFFIX,
} from './definition.ts';

/** Rows, panels or files of one answer; 20,000 rows keep the full model busy for 10 seconds. */
const MAX_ENTRIES = 500;

type Members = ReadonlyMap<string, AnswerShape>;

/** The shape of any question's answer. */
export function compileShape(element: JsonObject, form: JsonObject): AnswerShape {
  const simple = compileScalarShape(element, form);
  if (simple !== null) return simple;
  switch (elementType(element)) {
    case 'multipletext':
      return record(itemMembers(element, form));
    case 'matrix':
      return matrixShape(element, form);
    case 'matrixdropdown':
      return record(rowMembers(element, record(columnMembers(element, form))));
    case 'matrixdynamic':
      return list(record(columnMembers(element, form)));
    case 'paneldynamic':
      return list(record(questionMembers(readObjects(element, 'templateElements'), form)));
    case 'file':
      return list(fileShape);
    default:
      return opaqueShape;
  }
}

/** An object whose keys are all known; comments beside known keys are taken. */
function record(members: Members): AnswerShape {
  return (value, field, found) => {
    const { issues } = found;
    if (!isObject(value)) {
      issues.push({ field, message: 'must be an object' });
      return;
    }
    for (const [key, entry] of Object.entries(value)) {
      const shape = members.get(key);
      if (shape === undefined)
        issues.push({ field: `${field}.${key}`, message: 'is not part of this question' });
      else if (!isEmptyAnswer(entry)) shape(entry, `${field}.${key}`, found);
    }
  };
}

function list(entryShape: AnswerShape): AnswerShape {
  return (value, field, found) => {
    const { issues } = found;
    if (!Array.isArray(value)) issues.push({ field, message: 'must be a list' });
    else if (value.length > MAX_ENTRIES)
      issues.push({ field, message: `must have at most ${MAX_ENTRIES} entries` });
    else {
      for (const [index, entry] of value.entries()) entryShape(entry ?? {}, `${field}[${index}]`, found);
    }
  };
}

function itemMembers(element: JsonObject, form: JsonObject): Members {
  return new Map(
    readObjects(element, 'items').map((item) => [elementName(item), compileInputShape(item, form)]),
  );
}

/** Answers of the questions of a repeated panel, or of a row's detail panel; panels inside are flattened, totals are the model's. */
function questionMembers(elements: readonly JsonObject[], form: JsonObject): Members {
  const members = new Map<string, AnswerShape>();
  const comment = compileCommentShape(form);
  const add = (element: JsonObject): void => {
    if (isPanel(element)) {
      for (const child of childElements(element)) add(child);
      return;
    }
    const shape = compileShape(element, form);
    members.set(answerKey(element), shape);
    members.set(`${answerKey(element)}${COMMENT_SUFFIX}`, comment);
    if (elementType(element).startsWith('matrix'))
      members.set(`${answerKey(element)}${TOTAL_SUFFIX}`, opaqueShape);
  };
  for (const element of elements) add(element);
  return members;
}

/** The cells of a row: a column is a question of its `cellType`, with the matrix's choices unless it has its own. */
function columnMembers(element: JsonObject, form: JsonObject): Members {
  const comment = compileCommentShape(form);
  const members = new Map(questionMembers(readObjects(element, 'detailElements'), form));
  for (const entry of readList(element, 'columns')) {
    const column = isObject(entry) ? entry : { name: itemValue(entry) };
    const name = elementName(column);
    members.set(name, columnShape(column, element, form));
    members.set(`${name}${COMMENT_SUFFIX}`, comment);
  }
  return members;
}

function columnShape(column: JsonObject, matrix: JsonObject, form: JsonObject): AnswerShape {
  const ownType = readText(column, 'cellType');
  const type =
    ownType === undefined || ownType === 'default' ? (readText(matrix, 'cellType') ?? 'dropdown') : ownType;
  const choices = readList(matrix, 'choices');
  const shape = compileScalarShape({ ...column, type }, form, choices.length > 0 ? choices : DEFAULT_CHOICES);
  return shape ?? opaqueShape;
}

/** What survey-core offers in a matrix that lists no choices. */
const DEFAULT_CHOICES = [1, 2, 3, 4, 5];

function rowMembers(element: JsonObject, rowShape: AnswerShape): Members {
  return new Map(readList(element, 'rows').map((row) => [scalarKey(itemValue(row)), rowShape]));
}

/** One column's value per row, several when cells are checkboxes; a matrix without rows is a single choice. */
function matrixShape(element: JsonObject, form: JsonObject): AnswerShape {
  const choices = readList(element, 'columns');
  const isMultiple = readText(element, 'cellType') === 'checkbox';
  const cell =
    compileScalarShape({ type: isMultiple ? 'checkbox' : 'dropdown', choices }, form) ?? opaqueShape;
  return readList(element, 'rows').length === 0 ? cell : record(rowMembers(element, cell));
}

const fileShape: AnswerShape = (value, field, { issues }) => {
  const isFile = isObject(value) && Object.values(value).every((part) => typeof part !== 'object');
  if (!isFile) issues.push({ field, message: 'must be a file: {name, type, content}' });
};
