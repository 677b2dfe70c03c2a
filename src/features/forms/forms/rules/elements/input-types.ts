/**
 * Values that a browser's `<input>` of each type can return. survey-core itself accepts any text for number, date, url
 * and so on (docs/specification/forms.md#validation: input types are validated on the server).
 */

import { type Fault, fault } from '../fault.ts';
import type { MessageCode } from '../visitor-messages/message-codes.ts';

/** A type of `<input>`. */
export interface InputType {
  /** Returns the fault of a non-empty answer that such an input cannot return, or null. */
  readonly findFault: (value: unknown) => Fault | null;
  /** Converts a value for comparison with limits, if the type has limits. */
  readonly toComparable?: (value: unknown) => unknown;
  /** True if `maxLength` applies. */
  readonly hasLength?: boolean;
}

const DATE = /^(\d{4,6})-(\d{2})-(\d{2})$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?$/;
const MONTH = /^\d{4,6}-(0[1-9]|1[0-2])$/;
const WEEK = /^\d{4,6}-W(0[1-9]|[1-4]\d|5[0-3])$/;
const COLOR = /^#[0-9a-f]{6}$/i;
const ZONE = /(Z|[+-][01]\d:[0-5]\d)$/;
const URL_SCHEMES = new Set(['http:', 'https:', 'ftp:']);

/**
 * survey-core's rule for email addresses. Before the `@`: parts separated by dots, or a quoted text. After it: at least
 * two labels, the last one with at least two characters. Unquoted parts contain no dot, so matching takes linear time.
 */
const EMAIL_NAME = String.raw`[^<>()[\].,;:\s@"]+(?:\.[^<>()[\].,;:\s@"]+)*|".+"`;
const EMAIL_DOMAIN = String.raw`(?:[^<>()[\].,;:\s@"=]+\.)+[^<>()[\].,;:\s@"=]{2,}`;
/** Email addresses that forms accept. */
export const EMAIL_PATTERN = new RegExp(`^(?:${EMAIL_NAME})@${EMAIL_DOMAIN}$`, 'i');

/** Returns true if survey-core's email rule accepts a text. */
export function isEmail(text: string): boolean {
  return EMAIL_PATTERN.test(text);
}

/** An input for any text. Expressions and masks may produce a number in it. */
const free: InputType = {
  findFault: (value) =>
    typeof value === 'string' || typeof value === 'number' ? null : fault('must be a string', 'text'),
};
const number: InputType = {
  findFault: (value) => (isNumeric(value) ? null : fault('must be a number', 'number')),
  toComparable: Number,
};

/** Defines an input that returns texts of one format. By default its values are compared as texts. */
function formatted(
  accepts: (text: string) => boolean,
  format: string,
  code: MessageCode,
  properties: Partial<InputType> = { toComparable: (value) => value },
): InputType {
  const findFault = (value: unknown): Fault | null => {
    if (typeof value !== 'string') return fault('must be a string', 'text');
    return accepts(value) ? null : fault(`must be ${format}`, code);
  };
  return { findFault, ...properties };
}

const asText = { hasLength: true };
const asInstant = { toComparable: (value: unknown) => Date.parse(String(value)) };

const INPUT_TYPES: ReadonlyMap<string, InputType> = new Map([
  ['text', { ...free, ...asText }],
  ['search', { ...free, ...asText }],
  ['tel', { ...free, ...asText }],
  ['password', { ...free, ...asText }],
  ['hidden', free],
  ['email', formatted(isEmail, 'an email address', 'email', asText)],
  ['url', formatted(isUrl, 'an absolute http, https or ftp URL', 'url', asText)],
  ['number', number],
  ['range', number],
  ['date', formatted(isDate, 'a date in the format YYYY-MM-DD', 'date', asInstant)],
  [
    'datetime-local',
    formatted(isDateTime, 'a date and time in the format YYYY-MM-DDTHH:mm', 'dateTime', asInstant),
  ],
  ['time', formatted((text) => TIME.test(text), 'a time in the format HH:mm', 'time')],
  ['month', formatted((text) => MONTH.test(text), 'a month in the format YYYY-MM', 'month')],
  ['week', formatted((text) => WEEK.test(text), 'a week in the format YYYY-Www', 'week')],
  ['color', formatted((text) => COLOR.test(text), 'a colour in the format #rrggbb', 'color', {})],
]);

/** An input of an unknown type. */
const UNKNOWN = formatted(() => true, 'a text', 'text', {});

/** Returns the input type with this name in lower case. */
export function inputTypeOf(name: string): InputType {
  return INPUT_TYPES.get(name) ?? UNKNOWN;
}

/** Returns true for a number or a numeric text: survey-core keeps either. */
function isNumeric(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return (
    typeof value === 'string' && value.length <= 400 && value.trim() !== '' && Number.isFinite(Number(value))
  );
}

function isUrl(text: string): boolean {
  return URL_SCHEMES.has(URL.parse(text)?.protocol ?? '');
}

/** Returns true for existing dates. `Date` would read `2026-02-30` as 2 March. */
function isDate(text: string): boolean {
  const [year = 0, month = 0, day = 0] = DATE.exec(text)?.slice(1).map(Number) ?? [];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function isDateTime(text: string): boolean {
  const [date, time, ...rest] = text.split('T');
  if (date === undefined || time === undefined || rest.length > 0) return false;
  return isDate(date) && TIME.test(time.replace(ZONE, ''));
}
