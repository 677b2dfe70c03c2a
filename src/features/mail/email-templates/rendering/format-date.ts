/**
 * The template function `formatDate` (docs/specification/templates.md#template-language). Users see its error messages.
 */
import { LRUCache } from 'lru-cache';
import { toText } from './values.ts';

const ISO_TIME =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?<zone>Z|[+-]\d{2}:?\d{2})?)?$/;
/** A literal in brackets, the T of ISO 8601, a token, or an unknown letter. */
const PARTS =
  /\[(?<literal>[^\]]*)\]|(?<iso>T)(?=[Hh])|(?<token>YYYY|YY|MMMM|MMM|MM|M|DD|Do|D|dddd|ddd|HH|H|hh|h|mm|ss|A|a|Z)|(?<unknown>[A-Za-z])/g;
const DAY_OF_MONTH = /D/;
const TOKENS = 'YYYY YY MMMM MMM MM M DD D Do dddd ddd HH H hh h mm ss A a Z';
const DEFAULT_LOCALE = 'en';
const ORDINAL_SUFFIXES: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd', other: 'th' };

/** Cache of formatters: creating one takes longer than a hundred uses. */
const formatters = new LRUCache<string, Intl.DateTimeFormat>({ max: 100 });
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });

/**
 * Formats a time in UTC by a format of tokens; literal letters are in brackets. The value is an ISO 8601 date or time
 * (UTC without a zone) or a number of ms since 1970. `locale` determines the names of months and days; English if
 * absent.
 * @throws Error when the value is not a time, the format has unknown letters, or the locale is unknown.
 */
export function formatDate(value: unknown, format: unknown, locale: unknown = DEFAULT_LOCALE): string {
  const moment = toMoment(value);
  if (moment === null) throw new Error(`formatDate needs an ISO 8601 date or time, not ${quoted(value)}`);
  if (typeof format !== 'string') throw new Error('formatDate needs a format such as "YYYY-MM-DD"');
  const names = {
    locale: localeOf(locale),
    withDay: DAY_OF_MONTH.test(format.replaceAll(/\[[^\]]*\]/g, '')),
  };
  return format.replaceAll(PARTS, (part, literal, iso, token, unknown) => {
    if (unknown !== undefined)
      throw new Error(`formatDate does not know "${part}"; it knows ${TOKENS}, and text in [brackets]`);
    return literal ?? iso ?? textOf(token, moment, names);
  });
}

interface Names {
  readonly locale: string;
  /** True if the format contains the day: some languages inflect a month after its day. */
  readonly withDay: boolean;
}

function textOf(token: string, moment: Date, names: Names): string {
  const iso = moment.toISOString();
  const year = iso.startsWith('+') || iso.startsWith('-') ? iso.slice(0, 7) : iso.slice(0, 4);
  const hour = moment.getUTCHours();
  const values: Record<string, () => string | number> = {
    YYYY: () => year,
    YY: () => year.slice(-2),
    MMMM: () => nameOf('month', 'long', moment, names),
    MMM: () => nameOf('month', 'short', moment, names),
    MM: () => padded(moment.getUTCMonth() + 1),
    M: () => moment.getUTCMonth() + 1,
    DD: () => padded(moment.getUTCDate()),
    D: () => moment.getUTCDate(),
    Do: () => ordinal(moment.getUTCDate(), names.locale),
    dddd: () => nameOf('weekday', 'long', moment, names),
    ddd: () => nameOf('weekday', 'short', moment, names),
    HH: () => padded(hour),
    H: () => hour,
    hh: () => padded(hour % 12 || 12),
    h: () => hour % 12 || 12,
    mm: () => padded(moment.getUTCMinutes()),
    ss: () => padded(moment.getUTCSeconds()),
    A: () => (hour < 12 ? 'AM' : 'PM'),
    a: () => (hour < 12 ? 'am' : 'pm'),
    Z: () => '+00:00',
  };
  return String(values[token]?.() ?? token);
}

function padded(value: number): string {
  return String(value).padStart(2, '0');
}

/** Formats a day as an ordinal, such as `1st`; returns the plain number for languages other than English. */
function ordinal(day: number, locale: string): string {
  return /^en\b/.test(locale) ? `${day}${ORDINAL_SUFFIXES[ordinals.select(day)] ?? ''}` : String(day);
}

function nameOf(
  part: 'month' | 'weekday',
  length: 'long' | 'short',
  moment: Date,
  { locale, withDay }: Names,
): string {
  const dayOption = part === 'month' && withDay ? ({ day: 'numeric' } as const) : {};
  const key = `${locale} ${part} ${length} ${withDay}`;
  const options = { timeZone: 'UTC', [part]: length, ...dayOption } as const;
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formatters.set(key, formatter);
  return formatter.formatToParts(moment).find(({ type }) => type === part)?.value ?? '';
}

/** Returns a supported language tag (BCP 47), such as `pt-BR`. @throws Error for any other. */
function localeOf(locale: unknown): string {
  try {
    const [known] = Intl.DateTimeFormat.supportedLocalesOf(toText(locale));
    if (known !== undefined) return known;
  } catch {
    // Not a language tag.
  }
  throw new Error(
    `formatDate does not know the locale ${quoted(locale)}; use a language tag such as "pt-BR"`,
  );
}

function toMoment(value: unknown): Date | null {
  const moment =
    typeof value === 'string' ? parseIso(value.trim()) : typeof value === 'number' ? value : Number.NaN;
  const date = new Date(moment);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Parses ISO 8601; a time without a zone is UTC, while Date.parse would use the server's time zone. */
function parseIso(text: string): number {
  const match = ISO_TIME.exec(text);
  if (match === null) return Number.NaN;
  return Date.parse(match.groups?.zone === undefined && text.length > 10 ? `${text}Z` : text);
}

function quoted(value: unknown): string {
  const text = toText(value);
  return `"${text.length > 40 ? `${text.slice(0, 40).toWellFormed()}…` : text}"`;
}
