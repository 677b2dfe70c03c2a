/**
 * What a browser's `<input>` of a type delivers. survey-core itself takes any text for number, date, url and the like
 * (decisions, section 7: input types are validated on the server).
 */

const DATE = /^(\d{4,6})-(\d{2})-(\d{2})$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?$/;
const MONTH = /^\d{4,6}-(0[1-9]|1[0-2])$/;
const WEEK = /^\d{4,6}-W(0[1-9]|[1-4]\d|5[0-3])$/;
const COLOR = /^#[0-9a-f]{6}$/i;
const ZONE = /(Z|[+-][01]\d:[0-5]\d)$/;
const URL_SCHEMES = new Set(['http:', 'https:', 'ftp:']);

/**
 * The address rule of survey-core's e-mail validator: dotted parts without separators or a quoted name, then at least
 * two domain labels, the last of two characters or more. Each part excludes the dot that ends it, so it is linear.
 */
const EMAIL_NAME = String.raw`[^<>()[\].,;:\s@"]+(?:\.[^<>()[\].,;:\s@"]+)*|".+"`;
const EMAIL_DOMAIN = String.raw`(?:[^<>()[\].,;:\s@"=]+\.)+[^<>()[\].,;:\s@"=]{2,}`;
const EMAIL = new RegExp(`^(?:${EMAIL_NAME})@${EMAIL_DOMAIN}$`, 'i');

/** Whether survey-core's e-mail rule accepts a text. */
export function isEmail(text: string): boolean {
  return EMAIL.test(text);
}

/** The input type of a text question or item as survey-core spells it; `text` by default. */
export function normalInputType(inputType: string | undefined): string {
  const type = (inputType ?? 'text').toLowerCase();
  return type === 'datetime' || type === 'datetime_local' ? 'datetime-local' : type;
}

/** Says why a non-empty answer is none that an input of this (normal) type delivers, or null when it is. */
export function findInputFault(inputType: string, value: unknown): string | null {
  if (inputType === 'number' || inputType === 'range') {
    return isNumeric(value) ? null : 'must be a number';
  }
  if (typeof value !== 'string') {
    return typeof value === 'number' && FREE_TEXT.has(inputType) ? null : 'must be a text';
  }
  switch (inputType) {
    case 'email':
      return isEmail(value) ? null : 'must be an e-mail address';
    case 'url':
      return isUrl(value) ? null : 'must be an absolute http, https or ftp URL';
    case 'date':
      return isDate(value) ? null : 'must be a date in the form YYYY-MM-DD';
    case 'datetime-local':
      return isDateTime(value) ? null : 'must be a date and time in the form YYYY-MM-DDTHH:mm';
    case 'time':
      return TIME.test(value) ? null : 'must be a time in the form HH:mm';
    case 'month':
      return MONTH.test(value) ? null : 'must be a month in the form YYYY-MM';
    case 'week':
      return WEEK.test(value) ? null : 'must be a week in the form YYYY-Www';
    case 'color':
      return COLOR.test(value) ? null : 'must be a colour in the form #rrggbb';
    default:
      return null;
  }
}

/** Input types whose value is any text; expressions and masks may leave a number in them. */
const FREE_TEXT = new Set(['text', 'search', 'tel', 'password', 'hidden']);

/** Input types that `maxLength` bounds. */
export const LENGTH_BOUND_TYPES: ReadonlySet<string> = new Set(
  'text search tel url email password'.split(' '),
);

/** A number, or a text that is one: survey-core keeps what it is given. */
function isNumeric(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return (
    typeof value === 'string' && value.length <= 400 && value.trim() !== '' && Number.isFinite(Number(value))
  );
}

function isUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && URL_SCHEMES.has(url.protocol);
}

/** Dates of the calendar only: `2026-02-30` is none, although `Date` would read it as 2 March. */
function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (match === null) return false;
  const [year, month, day] = match.slice(1).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function isDateTime(text: string): boolean {
  const [date, time, ...rest] = text.split('T');
  if (date === undefined || time === undefined || rest.length > 0) return false;
  return isDate(date) && TIME.test(time.replace(ZONE, ''));
}
