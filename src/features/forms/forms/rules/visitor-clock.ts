/**
 * The visitor's clock for expressions such as `today()`. survey-core's functions use the local time of this process,
 * so they are given the visitor's local time as if it were ours.
 */

import { settings } from 'survey-core';
import { localTimeOf } from '../../../../flows/time-zones.ts';

/**
 * Day offsets from the date in UTC to try if the visitor's time zone is unknown: every place on earth has one of these
 * dates. The time zone of this process does not matter.
 */
const POSSIBLE_DAYS = [0, -1, 1];

let clock = (now: Date): Date => now;
let wasRead = false;

settings.onDateCreated = (date, _reason, time) => {
  // survey-core reads the clock if it gets no value.
  if (time) return date;
  wasRead = true;
  return clock(date);
};

/**
 * Returns the result of a check by the clock of the visitor's time zone. Without a time zone, a check that read the
 * clock also runs for the days before and after: the first accepted result counts, otherwise that of this day.
 */
export function byVisitorClock<Result>(
  timeZone: string | undefined,
  check: () => Result,
  isAccepted: (result: Result) => boolean,
): Result {
  if (timeZone !== undefined) return runAt((now) => localTimeIn(now, timeZone), check);
  const [day = 0, ...otherDays] = POSSIBLE_DAYS;
  const result = runAt((now) => dayAfter(localTimeIn(now, 'UTC'), day), check);
  if (!wasRead || isAccepted(result)) return result;
  for (const other of otherDays) {
    const otherwise = runAt((now) => dayAfter(localTimeIn(now, 'UTC'), other), check);
    if (isAccepted(otherwise)) return otherwise;
  }
  return result;
}

function runAt<Result>(at: typeof clock, check: () => Result): Result {
  const before = clock;
  clock = at;
  wasRead = false;
  try {
    return check();
  } finally {
    clock = before;
  }
}

function localTimeIn(now: Date, timeZone: string): Date {
  const local = localTimeOf(now, timeZone);
  return new Date(
    local.getUTCFullYear(),
    local.getUTCMonth(),
    local.getUTCDate(),
    local.getUTCHours(),
    local.getUTCMinutes(),
    local.getUTCSeconds(),
  );
}

function dayAfter(now: Date, days: number): Date {
  const moved = new Date(now);
  moved.setDate(moved.getDate() + days);
  return moved;
}
