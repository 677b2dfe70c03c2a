/**
 * Local wall-clock times of named zones as moments. Around a change of the clocks the rule is that of RFC 5545
 * section 3.3.5: a time that is skipped moves forward by the length of the gap, one that occurs twice is the first.
 */

/** The zones that a transmission can be scheduled in (document 1, Direct email transmission). */
export const ZONES = ['America/Sao_Paulo', 'Australia/Brisbane', 'Australia/Sydney', 'UTC'] as const;

/** One of `ZONES`. */
export type Zone = (typeof ZONES)[number];

const LOCAL_TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})$/;
/** Clocks change at most once in two days, so the offsets a day away are those before and after a change. */
const DAY_MS = 24 * 60 * 60 * 1000;

const formats = new Map<Zone, Intl.DateTimeFormat>();

/** The moment of `text` (`YYYY-MM-DDTHH:mm:ss`) in a zone; null when it is no time of the calendar. */
export function momentOf(text: string, zone: Zone): Date | null {
  const local = readLocal(text);
  if (local === null) return null;
  const before = local - offsetAt(local - DAY_MS, zone);
  const after = local - offsetAt(local + DAY_MS, zone);
  const readings = [before, after].filter((moment) => moment + offsetAt(moment, zone) === local);
  return new Date(readings.length === 0 ? before : Math.min(...readings));
}

/** The local time as if it were UTC, milliseconds. */
function readLocal(text: string): number | null {
  const match = LOCAL_TIME.exec(text);
  if (match === null) return null;
  const time = Date.parse(`${text}Z`);
  // What the calendar lacks, such as 31 April, is read as another day or not at all.
  return Number.isNaN(time) || !new Date(time).toISOString().startsWith(text) ? null : time;
}

/** How far the zone's clocks are ahead of UTC at a moment, milliseconds. */
function offsetAt(moment: number, zone: Zone): number {
  const whole = Math.floor(moment / 1000) * 1000;
  const parts = new Map(
    formatOf(zone)
      .formatToParts(whole)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const read = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const time = new Date(0);
  time.setUTCFullYear(read('year'), read('month') - 1, read('day'));
  return time.setUTCHours(read('hour'), read('minute'), read('second')) - whole;
}

function formatOf(zone: Zone): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
    formats.set(zone, format);
  }
  return format;
}
