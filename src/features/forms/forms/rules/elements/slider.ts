import type { Part } from '../definition.ts';
import { fault } from '../fault.ts';
import type { ElementType } from './element-type.ts';
import { scalar } from './shapes.ts';

const MAX_THUMBS = 1000;

/** A number from `min` (0) to `max` (100), or several. Contradictory limits are ignored. */
export const slider: ElementType = {
  compileShape(element) {
    const min = boundOf(element, 'min') ?? Number.NEGATIVE_INFINITY;
    const max = boundOf(element, 'max') ?? Number.POSITIVE_INFINITY;
    const thumb = scalar((value) => {
      if (typeof value !== 'number' || !Number.isFinite(value)) return fault('must be a number', 'number');
      return (value >= min && value <= max) || min >= max
        ? null
        : fault(`must be a number from ${min} to ${max}`, 'outOfRange', { min, max });
    });
    if (element.text('sliderType') !== 'range') return thumb;
    return (value, field, found) => {
      if (!Array.isArray(value) || value.length > MAX_THUMBS)
        return found.add(field, fault('must be a short list of numbers', 'malformed'));
      for (const [index, entry] of value.entries()) thumb(entry, `${field}[${index}]`, found);
    };
  },
};

/** Undefined if it is computed. */
function boundOf(element: Part, property: 'min' | 'max'): number | undefined {
  const defaultBound = property === 'min' ? 0 : 100;
  return element.text(`${property}ValueExpression`) === undefined
    ? (element.number(property) ?? defaultBound)
    : undefined;
}
