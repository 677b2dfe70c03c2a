import { QuestionMultipleTextModel } from 'survey-core';
import type { Part } from '../definition.ts';
import type { ElementType, InnerQuestion } from './element-type.ts';
import { record } from './shapes.ts';

/** Several texts under one question, each a text question of its own. */
export const multipletext: ElementType = {
  items: itemsOf,
  findObstacle: () => null,
  compileShape: (element, { shapeOf }) =>
    record(new Map(itemsOf(element).map((item) => [item.name, shapeOf(item)]))),
  inside: (question) =>
    question instanceof QuestionMultipleTextModel
      ? question.items.map((item): InnerQuestion => [item.editor, `.${item.name}`])
      : [],
  counts: ['itemCount'],
};

function itemsOf(element: Part): Part[] {
  return element.parts('items').map((item) => item.with({ type: 'text' }));
}
