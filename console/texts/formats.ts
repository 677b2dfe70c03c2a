/** Formats dates, times and numbers in the language and time zone of the page. */
import { activeLocale } from './texts.ts';
import { activeTimeZone } from './time-zone.ts';

/** Parts of a moment to show. */
export type DateParts = 'date' | 'dateTime' | 'time';

const DAY: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'short' };
const CLOCK: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };

// A formatter costs a phone about a millisecond, and a list formats some hundred values.
const dateFormats = new Map<string, Intl.DateTimeFormat>();
const relativeFormats = new Map<string, Intl.RelativeTimeFormat>();

/** Seconds per unit, from the largest. */
const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_556_952],
  ['month', 2_629_746],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** Returns a moment such as "Mon 9 Nov, 09:00". The year is shown unless it is the current one. */
export function formatDate(date: Date, parts: DateParts, zone = activeTimeZone()): string {
  const isThisYear = yearOf(date, zone) === yearOf(new Date(), zone);
  const options: Intl.DateTimeFormatOptions = {
    timeZone: zone,
    ...(parts === 'time' ? {} : DAY),
    ...(parts === 'time' || isThisYear ? {} : { year: 'numeric' }),
    ...(parts === 'date' ? {} : CLOCK),
  };
  // Only English adds a comma after the weekday, if there is a year.
  return dateFormat(dateLocale(), options)
    .format(date)
    .replace(/^(\w{3}), /, '$1 ');
}

/** Returns the city of the page's time zone, such as "Berlin". */
export function formatZone(): string {
  return activeTimeZone().split('/').at(-1)?.replaceAll('_', ' ') ?? 'UTC';
}

/** Returns a moment with its zone. Outside UTC it adds the time in UTC, with the day if that differs. */
export function formatExactly(date: Date): string {
  const local = `${formatDate(date, 'dateTime')} ${formatZone()}`;
  if (activeTimeZone() === 'UTC') return local;
  const isSameDay = formatDate(date, 'date') === formatDate(date, 'date', 'UTC');
  return `${local} · ${formatDate(date, isSameDay ? 'time' : 'dateTime', 'UTC')} UTC`;
}

/** Returns the distance between two moments, such as "3 minutes ago". */
export function formatRelatively(date: Date, now: number): string {
  const seconds = (date.getTime() - now) / 1000;
  const format = kept(
    relativeFormats,
    activeLocale(),
    () => new Intl.RelativeTimeFormat(activeLocale(), { numeric: 'auto' }),
  );
  const unit = UNITS.find(([, length]) => Math.abs(seconds) >= length);
  return unit === undefined
    ? format.format(0, 'second')
    : format.format(Math.trunc(seconds / unit[1]), unit[0]);
}

/** Returns a number with the language's separators. */
export function formatNumber(value: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(activeLocale(), options).format(value);
}

/** English dates begin with the day, as in most countries. */
function dateLocale(): string {
  return activeLocale() === 'en' ? 'en-GB' : activeLocale();
}

function yearOf(date: Date, timeZone: string): string {
  return dateFormat('en', { year: 'numeric', timeZone }).format(date);
}

function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  return kept(dateFormats, key, () => new Intl.DateTimeFormat(locale, options));
}

/** Returns the formatter with this key, and makes it if there is none yet. */
function kept<Format>(formats: Map<string, Format>, key: string, make: () => Format): Format {
  const format = formats.get(key) ?? make();
  formats.set(key, format);
  return format;
}
