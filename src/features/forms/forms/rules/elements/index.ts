/** Element types that the engine knows, in survey-core's spelling in lower case. */

import type { Part } from '../definition.ts';
import { file, signaturepad } from './attachments.ts';
import { boolean } from './boolean.ts';
import {
  buttongroup,
  checkbox,
  dropdown,
  imagemap,
  imagepicker,
  radiogroup,
  ranking,
  severalChoices,
} from './choice-types.ts';
import type { ElementType } from './element-type.ts';
import { matrix, matrixdropdown, matrixdynamic } from './matrices.ts';
import { multipletext } from './multipletext.ts';
import { paneldynamic } from './paneldynamic.ts';
import { rating } from './rating.ts';
import { slider } from './slider.ts';
import { comment, text } from './text.ts';

/** All element types. */
export const elementTypes: ReadonlyMap<string, ElementType> = new Map(
  Object.entries<ElementType>({
    boolean,
    buttongroup,
    checkbox,
    comment,
    dropdown,
    expression: { role: 'computed', findObstacle: () => null },
    file,
    html: { role: 'display' },
    image: { role: 'display' },
    imagemap,
    imagepicker,
    matrix,
    matrixdropdown,
    matrixdynamic,
    multipletext,
    panel: { role: 'panel' },
    paneldynamic,
    radiogroup,
    ranking,
    rating,
    signaturepad,
    slider,
    tagbox: severalChoices,
    text,
  }),
);

/** Returns the text questions that make up an element's answer. */
export function itemsOf(element: Part): Part[] {
  return elementTypeOf(element).items?.(element) ?? [];
}

const UNKNOWN: ElementType = {};

/** Returns the type of an element. Types that `checkDefinition` would refuse have an empty description. */
export function elementTypeOf({ type }: Pick<Part, 'type'>): ElementType {
  return elementTypes.get(type) ?? UNKNOWN;
}
