/** Converts wall-clock times of named zones to moments. */
import { Cron } from 'croner';

const TIME = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::(\d{2})(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/;

/**
 * Returns the moment of `text`, `YYYY-MM-DDTHH:mm` with optional seconds and fraction: a wall-clock time of `zone`, or
 * absolute with `Z` or an offset. Null if it is not a valid calendar time. A time skipped by daylight saving moves
 * forward by the length of the gap; an ambiguous time means the earlier moment (RFC 5545 section 3.3.5).
 */
export function momentOf(text: string, zone: string): Date | null {
  const [, day, minute, second = '00', fraction = '', offset] = TIME.exec(text) ?? [];
  const time = `${day}T${minute}:${second}`;
  if (!isCalendarTime(time)) return null;
  if (offset !== undefined) return validDate(`${time}${fraction}${offset}`);
  const moment = new Cron(time, { timezone: zone }).getOnce();
  return moment && new Date(moment.getTime() + Math.trunc(Number(`0${fraction}`) * 1000));
}

/** True for a valid calendar time: `Date` reads 31 April as another day or as invalid. */
function isCalendarTime(time: string): boolean {
  return validDate(`${time}Z`)?.toISOString().startsWith(time) ?? false;
}

function validDate(text: string): Date | null {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : date;
}
