/** Values that automations write, as the type of their field has them where nothing is lost: expressions keep types of other sources. */
import type { EntityModel, FieldType } from '../entities/index.ts';
import type { RecordBody } from './record-values.ts';

/** A number as JSON writes it. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Digits that a double keeps. */
const MOST_DIGITS = 15;

/** Returns a body with each value converted to the type of its field; what would lose something stays as it is. */
export function convertValues({ fields }: EntityModel, body: RecordBody): RecordBody {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const field = fields.get(name);
      return [name, field ? converted(field.type, value) : value];
    }),
  );
}

function converted(type: FieldType, value: unknown): unknown {
  switch (type) {
    case 'string':
    case 'text':
    case 'enum':
      if (typeof value === 'number') return plainDecimal(value);
      return typeof value === 'boolean' ? String(value) : value;
    case 'number':
    case 'integer':
      return typeof value === 'string' ? (exactNumber(value.trim()) ?? value) : value;
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value;
    default:
      return value;
  }
}

/** A number in digits, without an exponent. */
function plainDecimal(value: number): string {
  const [mantissa = '', exponent] = String(value).split('e');
  if (exponent === undefined) return mantissa;
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const sign = value < 0 ? '-' : '';
  const places = Number(exponent);
  return places < 0
    ? `${sign}0.${whole.padStart(-places, '0')}${fraction}`
    : `${sign}${whole}${fraction.padEnd(places, '0')}`;
}

/** The number of a text; null: it is none, or has more digits than a number keeps. */
function exactNumber(text: string): number | null {
  const digits = text
    .replace(/[eE].*$/, '')
    .replaceAll(/\D/g, '')
    .replace(/^0+/, '');
  const number = NUMBER.test(text) ? Number(text) : Number.NaN;
  const isExact = digits.length <= MOST_DIGITS || (Number.isSafeInteger(number) && String(number) === text);
  return Number.isFinite(number) && isExact ? number : null;
}
