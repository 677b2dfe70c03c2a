import type { ElementType } from './element-type.ts';

/** Shows something and has no answer: `html`, `image`. */
export const display: ElementType = { role: 'display' };
