/** The element types that the engine knows, as survey-core spells them in lower case: one line each. */

import type { Part } from '../definition.ts';
import { boolean } from './boolean.ts';
import { comment } from './comment.ts';
import { display } from './display.ts';
import type { ElementType } from './element-type.ts';
import { expression } from './expression.ts';
import { file } from './file.ts';
import { imagemap, imagepicker } from './image-choice.ts';
import { matrix } from './matrix.ts';
import { matrixdropdown, matrixdynamic } from './matrixdropdown.ts';
import { checkbox, severalChoices } from './multiple-choice.ts';
import { multipletext } from './multipletext.ts';
import { panel } from './panel.ts';
import { paneldynamic } from './paneldynamic.ts';
import { rating } from './rating.ts';
import { signaturepad } from './signaturepad.ts';
import { buttongroup, dropdown, radiogroup } from './single-choice.ts';
import { slider } from './slider.ts';
import { text } from './text.ts';

/** All of them. */
export const elementTypes: ReadonlyMap<string, ElementType> = new Map(
  Object.entries<ElementType>({
    boolean,
    buttongroup,
    checkbox,
    comment,
    dropdown,
    expression,
    file,
    html: display,
    image: display,
    imagemap,
    imagepicker,
    matrix,
    matrixdropdown,
    matrixdynamic,
    multipletext,
    panel,
    paneldynamic,
    radiogroup,
    ranking: severalChoices,
    rating,
    signaturepad,
    slider,
    tagbox: severalChoices,
    text,
  }),
);

/** The text questions that the answer of an element consists of. */
export function itemsOf(element: Part): Part[] {
  return elementTypeOf(element).items?.(element) ?? [];
}

const UNKNOWN: ElementType = {};

/** The type of an element; of one that nothing is known of when `checkDefinition` would refuse it. */
export function elementTypeOf({ type }: Pick<Part, 'type'>): ElementType {
  return elementTypes.get(type) ?? UNKNOWN;
}
