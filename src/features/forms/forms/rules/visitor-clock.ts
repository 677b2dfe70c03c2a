/**
 * The visitor's clock for expressions such as `today()`. survey-core's functions use the local time of this process, so
 * they get a `Date` whose local time in this process is the visitor's local time.
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
  // With `time`, survey-core converts a given value; without it, it reads the clock.
  if (time) return date;
  wasRead = true;
  return clock(date);
};

/**
 * Runs a check with the clock set to the visitor's time zone. If the time zone is unknown, the check uses UTC. If the
 * check then reads the clock and fails, it runs again for the day before and the day after. Returns the first accepted
 * result, or the one for the date in UTC.
 */
export function byVisitorClock<Result>(
  timeZone: string | undefined,
  check: () => Result,
  isAccepted: (result: Result) => boolean,
): Result {
  if (timeZone !== undefined) return runAt((now) => localTimeIn(now, timeZone), check);
  const [day = 0, ...otherDays] = POSSIBLE_DAYS;
  const result = runAt((now) => addDays(localTimeIn(now, 'UTC'), day), check);
  if (!wasRead || isAccepted(result)) return result;
  for (const other of otherDays) {
    const otherResult = runAt((now) => addDays(localTimeIn(now, 'UTC'), other), check);
    if (isAccepted(otherResult)) return otherResult;
  }
  return result;
}

function runAt<Result>(at: typeof clock, check: () => Result): Result {
  const previous = clock;
  clock = at;
  wasRead = false;
  try {
    return check();
  } finally {
    clock = previous;
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

function addDays(now: Date, days: number): Date {
  const moved = new Date(now);
  moved.setDate(moved.getDate() + days);
  return moved;
}
