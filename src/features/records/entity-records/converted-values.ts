/**
 * Converts values of expressions to the types of fields, if nothing is lost: a value has the type of its source, which
 * may differ from that of the field.
 */
import { carryWritten } from '../../../db/written-json.ts';
import type { EntityModel, FieldType } from '../entities/index.ts';
import type { RecordBody } from './record-values.ts';

/** A JSON number. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Digits that a double represents exactly. */
const MAX_DIGITS = 15;

/**
 * Returns a body with each value converted to the type of its field. Values that would lose information stay as they
 * are.
 */
export function convertValues({ fields }: EntityModel, body: RecordBody): RecordBody {
  const values = Object.entries(body).map(([name, value]) => {
    const field = fields.get(name);
    return [name, field ? convertValue(field.type, value) : value] as const;
  });
  return carryWritten(body, Object.fromEntries(values));
}

function convertValue(type: FieldType, value: unknown): unknown {
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

/** Returns a number in digits, without an exponent. */
function plainDecimal(value: number): string {
  const [mantissa = '', exponent] = String(value).split('e');
  if (exponent === undefined) return mantissa;
  const [integer = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const sign = value < 0 ? '-' : '';
  const shift = Number(exponent);
  return shift < 0
    ? `${sign}0.${integer.padStart(-shift, '0')}${fraction}`
    : `${sign}${integer}${fraction.padEnd(shift, '0')}`;
}

/** Returns the number in a text; null if it is not a number or has too many digits. */
function exactNumber(text: string): number | null {
  const digits = text
    .replace(/[eE].*$/, '')
    .replaceAll(/\D/g, '')
    .replace(/^0+/, '');
  const number = NUMBER.test(text) ? Number(text) : Number.NaN;
  const isExact = digits.length <= MAX_DIGITS || (Number.isSafeInteger(number) && String(number) === text);
  return Number.isFinite(number) && isExact ? number : null;
}
