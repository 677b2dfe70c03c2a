/** The times of a cron expression in a time zone (docs/specification/automations.md#schedules). */
import { Cron } from 'croner';
import { localTimeOf, momentOfLocal } from './time-zones.ts';

/** A schedule, in local times of the zone. */
export interface Schedule {
  readonly expression: string;
  readonly timezone: string;
}

const UTC = 'UTC';
/** Longer than any clock change, so that it covers the local times that occur twice. */
const SET_BACK_MS = 3 * 60 * 60 * 1000;

/** Returns the first tick after a time; null if there is none. @throws for an invalid cron expression. */
export function nextTick({ expression, timezone }: Schedule, after: Date): Date | null {
  const cron = cronOf(expression);
  if (timezone === UTC) return cron.nextRun(after);
  let local = cron.nextRun(localTimeOf(after, timezone));
  // Skips local times of a repeated hour that have already passed.
  while (local !== null && momentOfLocal(local, timezone) <= after) local = cron.nextRun(local);
  return local && momentOfLocal(local, timezone);
}

/** Returns the last tick up to and including a time; null if there was none. @throws like `nextTick`. */
export function lastTick({ expression, timezone }: Schedule, until: Date): Date | null {
  const cron = cronOf(expression);
  const before = (moment: Date) => cron.previousRuns(1, moment)[0] ?? null;
  if (timezone === UTC) return before(new Date(until.getTime() + 1));
  const now = localTimeOf(until, timezone);
  const isRepeated = momentOfLocal(now, timezone).getTime() < until.getTime() - (until.getTime() % 1000);
  let local = before(new Date(now.getTime() + (isRepeated ? SET_BACK_MS : 1)));
  while (local !== null && momentOfLocal(local, timezone) > until) local = before(local);
  return local && momentOfLocal(local, timezone);
}

function cronOf(expression: string): Cron {
  return new Cron(expression, { timezone: UTC, paused: true });
}
