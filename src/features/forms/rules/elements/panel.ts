import type { ElementType } from './element-type.ts';

/** Holds other elements, whose answers lie beside those of all others. */
export const panel: ElementType = { role: 'panel' };
