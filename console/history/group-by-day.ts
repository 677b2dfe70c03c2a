import { formatDate } from '../texts/formats.ts';
import { historyTexts } from './texts.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The events of one day in the user's time zone. */
export interface Day<Event> {
  readonly title: string;
  readonly events: readonly Event[];
}

/** Groups events by day. They are in order, so the days are, too. */
export function groupByDay<Event extends { readonly at: string }>(
  events: readonly Event[],
  now: number,
): Day<Event>[] {
  const names = new Map([
    [formatDate(new Date(now - DAY_MS), 'date'), historyTexts.translate('yesterday')],
    [formatDate(new Date(now), 'date'), historyTexts.translate('today')],
  ]);
  const days = Map.groupBy(events, ({ at }) => formatDate(new Date(at), 'date'));
  return [...days].map(([date, ofDay]) => ({ title: names.get(date) ?? date, events: ofDay }));
}
