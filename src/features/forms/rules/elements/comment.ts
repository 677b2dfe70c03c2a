import { findLengthFault } from './bounds.ts';
import type { ElementType } from './element-type.ts';
import { scalar } from './shapes.ts';
import { lengthLimit } from './text.ts';

/** Several lines of text. */
export const comment: ElementType = {
  findObstacle: () => null,
  compileShape(element, { form }) {
    const limit = lengthLimit(element, form);
    return scalar((value) => (typeof value === 'string' ? findLengthFault(value, limit) : 'must be a text'));
  },
};
