/** Local wall-clock times of named zones as moments. */
import { Cron } from 'croner';

/** The zones that a transmission can be scheduled in (docs/specification/transmissions.md#options). */
export const ZONES = ['America/Sao_Paulo', 'Australia/Brisbane', 'Australia/Sydney', 'UTC'] as const;

/** One of `ZONES`. */
export type Zone = (typeof ZONES)[number];

/**
 * The moment of `text` (`YYYY-MM-DDTHH:mm:ss`) in a zone; null when it is no time of the calendar. A time that a change
 * of the clocks skips moves forward by the length of the gap, one that occurs twice is the first (RFC 5545 section 3.3.5).
 */
export function momentOf(text: string, zone: string): Date | null {
  return isOfCalendar(text) ? new Cron(text, { timezone: zone }).getOnce() : null;
}

function isOfCalendar(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}Z`);
  // What the calendar lacks, such as 31 April, is read as another day or not at all.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
