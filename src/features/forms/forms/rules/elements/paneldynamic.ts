import { QuestionPanelDynamicModel } from 'survey-core';
import type { ElementType, InnerQuestion } from './element-type.ts';
import { listOf, record } from './shapes.ts';

/** A repeated panel: a list of objects with the answers of its elements. */
export const paneldynamic: ElementType = {
  compileShape: (element, { membersOf }) => listOf(record(membersOf(element.parts('templateElements')))),
  inside: (question) =>
    question instanceof QuestionPanelDynamicModel
      ? question.panels.flatMap(({ questions }, index) =>
          questions.map((inner): InnerQuestion => [inner, `[${index}].${inner.name}`]),
        )
      : [],
  counts: ['panelCount', 'minPanelCount'],
};
