/** End times of `wait` steps (docs/specification/journeys.md#steps). */
import { momentOf } from '../../../flows/wall-clock.ts';
import { readTime } from '../../../resources/filter-values.ts';
import type { StepOf } from '../schema.ts';

const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Days to search: enough for any weekday, even if a clock change skips the time on one of them. */
const DAYS_AHEAD = 9;

/** True if a text is `HH:mm`. */
export function isTimeOfDay(text: string): boolean {
  return TIME_OF_DAY.test(text);
}

/** Returns the end of a wait that begins at `from`. */
export function endOfWait(step: StepOf<'wait'>, from: Date): Date {
  if (step.seconds !== undefined) return new Date(from.getTime() + step.seconds * 1000);
  if (step.until !== undefined) return new Date(readTime(step.until) ?? from);
  return nextMoment(step, from);
}

/** Returns the first moment after `from` with that local time, on one of the weekdays. */
function nextMoment({ at = '00:00', timezone = 'UTC', weekdays }: StepOf<'wait'>, from: Date): Date {
  const today = Date.parse(`${localDate(from, timezone)}T00:00:00Z`);
  for (let day = 0; day <= DAYS_AHEAD; day += 1) {
    const date = new Date(today + day * DAY_MS);
    // Monday is 1, Sunday 7.
    const weekday = date.getUTCDay() || 7;
    if (weekdays !== undefined && !weekdays.includes(weekday)) continue;
    const moment = momentOf(`${date.toISOString().slice(0, 10)}T${at}:00`, timezone);
    if (moment !== null && moment > from) return moment;
  }
  // Reached only in the last days of the year 9999.
  return new Date(today + DAYS_AHEAD * DAY_MS);
}

/** Returns the local date as `YYYY-MM-DD`. */
function localDate(moment: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'gregory',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(moment);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
}
