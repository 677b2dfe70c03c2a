/**
 * The functions that templates may call (docs/specification/templates.md#template-language). They throw
 * Errors that say what is wrong.
 */

/** A function of templates: arguments are values of the data, literals or other calls. */
export interface TemplateFunction {
  /** The number of arguments it takes. */
  readonly arity: number;
  readonly call: (args: readonly unknown[]) => unknown;
}

/** By name. A name without an entry is no function. */
export const TEMPLATE_FUNCTIONS: ReadonlyMap<string, TemplateFunction> = new Map([
  ['formatDate', { arity: 2, call: ([value, format]) => formatDate(value, format) }],
  ['uppercase', { arity: 1, call: ([value]) => toText(value).toUpperCase() }],
  ['lookup', { arity: 2, call: ([object, key]) => ownValue(object, toText(key)) }],
]);

/** The value an object or array has of its own under `key`; prototypes do not count. */
export function ownValue(object: unknown, key: string): unknown {
  if (typeof object !== 'object' || object === null || !Object.hasOwn(object, key)) return undefined;
  const value: unknown = Reflect.get(object, key);
  return value;
}

/** A value as it is written into a message: nothing for null, the items of a list with commas, objects as JSON. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(toText).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const ISO_TIME =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?<zone>Z|[+-]\d{2}:?\d{2})?)?$/;
const FORMAT_TOKENS = /YYYY|MMM|MM|DD|HH|mm|ss/g;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * A moment in UTC by a format of `YYYY MMM MM DD HH mm ss`
 * (docs/specification/templates.md#template-language); other characters stay. The value is an ISO 8601 date
 * or time (UTC when it names no zone) or a number of milliseconds since 1970.
 * @throws Error when it is neither.
 */
export function formatDate(value: unknown, format: unknown): string {
  const moment = toMoment(value);
  if (moment === null) throw new Error(`formatDate needs an ISO 8601 date or time, not ${shown(value)}`);
  if (typeof format !== 'string') throw new Error('formatDate needs a format such as "YYYY-MM-DD"');
  const iso = moment.toISOString();
  const year = iso.startsWith('+') || iso.startsWith('-') ? iso.slice(0, 7) : iso.slice(0, 4);
  const [month = '', day = '', hour = '', minute = '', second = ''] = iso
    .slice(year.length + 1, -5)
    .split(/[-T:]/);
  const values: Record<string, string> = {
    YYYY: year,
    MMM: MONTHS[Number(month) - 1] ?? '',
    MM: month,
    DD: day,
    HH: hour,
    mm: minute,
    ss: second,
  };
  return format.replaceAll(FORMAT_TOKENS, (token) => values[token] ?? token);
}

function toMoment(value: unknown): Date | null {
  const moment =
    typeof value === 'string' ? parseIso(value.trim()) : typeof value === 'number' ? value : Number.NaN;
  const date = new Date(moment);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** What names a time but no zone would be local time to Date.parse, and so depend on the server. */
function parseIso(text: string): number {
  const match = ISO_TIME.exec(text);
  if (match === null) return Number.NaN;
  return Date.parse(match.groups?.zone === undefined && text.length > 10 ? `${text}Z` : text);
}

function shown(value: unknown): string {
  const text = toText(value);
  return `"${text.length > 40 ? `${text.slice(0, 40).toWellFormed()}…` : text}"`;
}
