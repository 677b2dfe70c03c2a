import type { ElementType } from './element-type.ts';
import { opaque } from './shapes.ts';

/** A drawing, as a data URL. */
export const signaturepad: ElementType = {
  compileShape: () => (value, field, found) => {
    if (typeof value === 'string') opaque(value, field, found);
    else found.add(field, 'must be a drawing as text');
  },
};
