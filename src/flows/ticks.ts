/** The times of a cron expression in a time zone (docs/specification/automations.md#schedules). */
import { Cron } from 'croner';
import { localTimeOf, momentOfLocal } from './time-zones.ts';

/** A schedule: what clocks of the zone show when it ticks. */
export interface Schedule {
  readonly expression: string;
  readonly timezone: string;
}

const UTC = 'UTC';
/** Longer than clocks are ever set back: so far behind its own local time a moment may have passed ticks. */
const SET_BACK_MS = 3 * 60 * 60 * 1000;

/** The first tick after a moment; null: there is none any more. @throws for what is no cron expression. */
export function nextTick({ expression, timezone }: Schedule, after: Date): Date | null {
  const cron = cronOf(expression);
  if (timezone === UTC) return cron.nextRun(after);
  let local = cron.nextRun(localTimeOf(after, timezone));
  // Local times of an hour that comes again are passed already.
  while (local !== null && momentOfLocal(local, timezone) <= after) local = cron.nextRun(local);
  return local && momentOfLocal(local, timezone);
}

/** The last tick until a moment, which may be the moment itself; null: there was none. @throws as `nextTick`. */
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
