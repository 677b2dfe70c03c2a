import { compileChoiceRules, findChoicesObstacle } from './choices.ts';
import type { ElementType } from './element-type.ts';
import { selectionShape } from './multiple-choice.ts';
import { choiceShape } from './single-choice.ts';

/** One of several pictures, or several with `multiSelect`. */
export const imagepicker: ElementType = {
  findObstacle: findChoicesObstacle,
  compileShape: (element, context) =>
    element.flag('multiSelect') ? selectionShape(element, context) : choiceShape(element, context),
  compileRules: compileChoiceRules,
};

/** Several areas of a picture, or one without `multiSelect`. */
export const imagemap: ElementType = {
  compileShape(element, context) {
    const map =
      element.list('choices').length > 0 ? element : element.with({ choices: element.read('areas') });
    return element.read('multiSelect') === false ? choiceShape(map, context) : selectionShape(map, context);
  },
};
