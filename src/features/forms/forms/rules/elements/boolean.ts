import { fault } from '../fault.ts';
import type { ElementType } from './element-type.ts';
import { scalar } from './shapes.ts';

/** Yes or no, which a form may write as other values. */
export const boolean: ElementType = {
  findObstacle: () => null,
  compileShape(element) {
    const values: unknown[] = [element.read('valueTrue') ?? true, element.read('valueFalse') ?? false];
    return scalar((value) =>
      values.includes(value) ? null : fault(`must be one of ${values.join(', ')}`, 'notOffered'),
    );
  },
};
