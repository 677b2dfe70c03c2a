import type { schemas } from '../../../sdk/src/index.ts';
import { formatDate } from '../../texts/formats.ts';
import { texts } from './texts.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The changes of one day in the user's time zone. */
export interface Day {
  readonly title: string;
  readonly changes: readonly schemas.Activity[];
}

/** Groups changes by day. They are in order, so the days are, too. */
export function groupByDay(changes: readonly schemas.Activity[], now: number): Day[] {
  const names = new Map([
    [formatDate(new Date(now - DAY_MS), 'date'), texts.translate('yesterday')],
    [formatDate(new Date(now), 'date'), texts.translate('today')],
  ]);
  const days = Map.groupBy(changes, ({ at }) => formatDate(new Date(at), 'date'));
  return [...days].map(([date, ofDay]) => ({ title: names.get(date) ?? date, changes: ofDay }));
}
