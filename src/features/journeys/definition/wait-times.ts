/** Until when a wait lasts (docs/specification/journeys.md#steps). */
import { readTime } from '../../../resources/filter-values.ts';
import { momentOf } from '../../transmissions/index.ts';
import type { StepOf } from '../schema.ts';

const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Whatever the day of the week is, and however the clocks change, one of these days has the moment. */
const DAYS_AHEAD = 9;

/** Whether a text is `HH:mm`. */
export function isTimeOfDay(text: string): boolean {
  return TIME_OF_DAY.test(text);
}

/** When a wait that begins then is over. */
export function endOfWait(step: StepOf<'wait'>, from: Date): Date {
  if (step.seconds !== undefined) return new Date(from.getTime() + step.seconds * 1000);
  if (step.until !== undefined) return new Date(readTime(step.until) ?? from);
  return nextMoment(step, from);
}

/** The first moment after `from` at which clocks in the zone show that time, on one of the days. */
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
  // Only the last days of the year 9999 have none after them.
  return new Date(today + DAYS_AHEAD * DAY_MS);
}

/** `YYYY-MM-DD`, as calendars there show it. */
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
