/** Values of records from values of the source. */

/** Digits that a number keeps exactly. */
export const MAX_DIGITS = 15;
const MAX_CHOICES = 200;
const MAX_CHOICE_CHARS = 200;

/** A value, or the reason why it does not fit. */
export type ConvertedValue = { readonly value: unknown } | { readonly problem: string };

/** Converts a value to one of a field's type. */
export function convertValue(type: string, value: unknown): ConvertedValue {
  if (value === null || value === undefined) return { value: null };
  switch (type) {
    case 'string':
    case 'text':
      return { value: typeof value === 'string' ? value : JSON.stringify(value) };
    case 'integer':
    case 'number':
      return typeof value === 'string' ? readNumber(value) : { value };
    case 'boolean':
      return { value: value === 0 || value === 1 ? value === 1 : value };
    case 'json':
      return { value };
    default:
      return { value: value === '' ? null : value };
  }
}

/** Reads a decimal, which the source returns as a text if its database does. */
function readNumber(text: string): ConvertedValue {
  const match = /^(-?)0*(\d+?)(?:\.(\d*?)0*)?$/.exec(text);
  if (match === null) return { problem: `${text.slice(0, 50)} is not a number` };
  const [, sign = '', integer = '', fraction = ''] = match;
  const digits = `${integer}${fraction}`.replace(/^0+/, '');
  const value = Number(`${sign}${integer}.${fraction}`);
  const isExact = fraction === '' ? Number.isSafeInteger(value) : digits.length <= MAX_DIGITS;
  return isExact ? { value } : { problem: `${text.slice(0, 50)} has more digits than a number can hold` };
}

/** Returns the choices of a field of the type `enum`; undefined if it cannot be one. */
export function toChoices(values: readonly string[]): readonly string[] | undefined {
  const choices = [...new Set(values)];
  const isEnum =
    choices.length > 0 &&
    choices.length <= MAX_CHOICES &&
    choices.every((choice) => choice !== '' && choice.length <= MAX_CHOICE_CHARS);
  return isEnum ? choices : undefined;
}
