import { fault } from '../fault.ts';
import type { ElementType } from './element-type.ts';
import { scalar } from './shapes.ts';

/** Yes or no; a form may use other values for them. */
export const boolean: ElementType = {
  findObstacle: () => null,
  compileShape(element) {
    const values: unknown[] = [element.read('valueTrue') ?? true, element.read('valueFalse') ?? false];
    return scalar((value) =>
      values.includes(value) ? null : fault(`must be one of ${values.join(', ')}`, 'notOffered'),
    );
  },
};
