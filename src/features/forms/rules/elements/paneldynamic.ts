import { QuestionPanelDynamicModel } from 'survey-core';
import { type ElementType, type InnerQuestion, isShown } from './element-type.ts';
import { listOf, record } from './shapes.ts';

/** A panel that repeats: a list of objects with the answers of its elements. */
export const paneldynamic: ElementType = {
  compileShape: (element, { membersOf }) => listOf(record(membersOf(element.parts('templateElements')))),
  inside: (question, field) =>
    question instanceof QuestionPanelDynamicModel
      ? question.panels.flatMap((panel, index) =>
          panel.questions
            .filter(isShown)
            .map((inner): InnerQuestion => [inner, `${field}[${index}].${inner.name}`]),
        )
      : [],
  counts: ['panelCount', 'minPanelCount'],
};
