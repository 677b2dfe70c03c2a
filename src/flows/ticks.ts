/** The times of a cron expression, in UTC (docs/specification/automations.md#schedules). */
import { Cron } from 'croner';

/** The first tick after a moment; null: there is none any more. @throws for what is no cron expression. */
export function nextTick(expression: string, after: Date): Date | null {
  return cronOf(expression).nextRun(after);
}

/** The last tick until a moment, which may be the moment itself; null: there was none. @throws as `nextTick`. */
export function lastTick(expression: string, until: Date): Date | null {
  const [tick] = cronOf(expression).previousRuns(1, new Date(until.getTime() + 1));
  return tick ?? null;
}

function cronOf(expression: string): Cron {
  return new Cron(expression, { timezone: 'UTC', paused: true });
}
