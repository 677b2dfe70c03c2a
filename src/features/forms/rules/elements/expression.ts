import type { ElementType } from './element-type.ts';

/** Shows a value that the form computes; what a visitor sends for it is ignored (`computed-values.ts`). */
export const expression: ElementType = { role: 'computed', findObstacle: () => null };
