import { itemValue, type Part } from '../definition.ts';
import { fault } from '../fault.ts';
import { scalarKey } from './choices.ts';
import type { ElementType } from './element-type.ts';
import { type AnswerShape, scalar } from './shapes.ts';

/** `rateValues` if given, otherwise numbers from `rateMin` (1) to `rateMax` (5) by `rateStep` (1). */
export const rating: ElementType = {
  findObstacle: (element) =>
    element.parts('rateValues').some((rate) => rate.read('visibleIf') !== undefined) ? 'rateValues' : null,
  compileShape(element) {
    const listed = new Set(element.list('rateValues').map((item) => scalarKey(itemValue(item))));
    if (listed.size > 0 && element.read('autoGenerate') !== true)
      return scalar((value) =>
        listed.has(scalarKey(value)) ? null : fault('must be one of the rates', 'notOffered'),
      );
    return scaleShape(element);
  },
};

function scaleShape(element: Part): AnswerShape {
  const step = element.number('rateStep') || 1;
  const count = element.number('rateCount');
  const span = count === undefined ? undefined : step * (count - 1);
  const [givenMin, givenMax] = [element.number('rateMin'), element.number('rateMax')];
  // With a number of rates, the given end determines the other.
  const min = givenMin ?? (givenMax !== undefined && span !== undefined ? givenMax - span : 1);
  const max = givenMax ?? (span === undefined ? 5 : min + span);
  return scalar((value) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return fault('must be a number', 'number');
    const steps = (value - min) / step;
    const isOnStep = Math.abs(steps - Math.round(steps)) < 1e-9;
    return value >= min && value <= max && isOnStep
      ? null
      : fault(`must be a rate from ${min} to ${max}`, 'outOfRange', { min, max });
  });
}
