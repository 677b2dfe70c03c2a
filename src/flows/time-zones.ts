/** Local times of IANA time zones. A local time is a `Date` whose UTC fields are those of the zone's clocks. */
import { LRUCache } from 'lru-cache';

const DAY_MS = 24 * 60 * 60 * 1000;
const SECOND_MS = 1000;
const MAX_CACHED_ZONES = 100;

const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: MAX_CACHED_ZONES });

/** True if this process knows a time zone of this name. */
export function isZone(text: string): boolean {
  try {
    return formatOf(text).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Returns the local time, without fractions of a second. */
export function localTimeOf(moment: Date, zone: string): Date {
  return new Date(moment.getTime() - (moment.getTime() % SECOND_MS) + offsetAt(moment.getTime(), zone));
}

/** Returns the time of a local time: the first of two for a repeated one, the end of the gap for a skipped one. */
export function momentOfLocal(local: Date, zone: string): Date {
  const time = local.getTime();
  const [before, after] = [offsetAt(time - DAY_MS, zone), offsetAt(time + DAY_MS, zone)];
  const moments = [time - before, time - after].filter((moment) => moment + offsetAt(moment, zone) === time);
  return new Date(moments.length > 0 ? Math.min(...moments) : endOfGap(time - after, time - before, zone));
}

/** Returns the time, between two times, at which the offset changes. */
function endOfGap(from: number, until: number, zone: string): number {
  let [low, high] = [from, until];
  const offset = offsetAt(until, zone);
  while (high - low > SECOND_MS) {
    const middle = low + Math.floor((high - low) / 2 / SECOND_MS) * SECOND_MS;
    if (offsetAt(middle, zone) === offset) high = middle;
    else low = middle;
  }
  return high;
}

/** The zone's offset from UTC at a time, in ms. */
function offsetAt(moment: number, zone: string): number {
  const parts = formatOf(zone).formatToParts(moment);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((each) => each.type === type)?.value);
  const local = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return local - (moment - (moment % SECOND_MS));
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const cached = formats.get(zone);
  if (cached) return cached;
  const format = new Intl.DateTimeFormat('en', {
    ...{ timeZone: zone, calendar: 'gregory', hourCycle: 'h23' },
    ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  formats.set(zone, format);
  return format;
}
