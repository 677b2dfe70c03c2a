import { isObject } from '../definition.ts';
import { fault } from '../fault.ts';
import type { ElementType } from './element-type.ts';
import { listOf, opaque } from './shapes.ts';

/** Files, each with its content or its URL. */
export const file: ElementType = {
  compileShape: () =>
    listOf((value, field, found) => {
      const isFile = isObject(value) && Object.values(value).every((part) => typeof part !== 'object');
      if (!isFile) found.add(field, fault('must be a file: {name, type, content}', 'file'));
    }),
};

/** A drawing as a data URL. */
export const signaturepad: ElementType = {
  compileShape: () => (value, field, found) => {
    if (typeof value === 'string') opaque(value, field, found);
    else found.add(field, fault('must be a drawing as text', 'malformed'));
  },
};
