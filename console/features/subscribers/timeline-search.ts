/** The part of the timeline that the URL names. The main script contains this file. */

/** Kinds of entries by the part of the timeline that shows them; the API calls them `kinds`. */
export const TIMELINE_PARTS = {
  mail: 'email,open,click,bounce,complaint,unsubscribe',
  forms: 'submission',
  journeys: 'journey',
  changes: 'consent,edit',
} as const;

/** A part of the timeline. */
export type TimelinePart = keyof typeof TIMELINE_PARTS;

/** Query parameters of the timeline. */
export type TimelineSearch = {
  /** Absent: everything. */
  readonly show?: TimelinePart;
};

/** Reads the parameters of the timeline. */
export function readTimelineSearch(raw: Readonly<Record<string, unknown>>): TimelineSearch {
  const { show } = raw;
  return typeof show === 'string' && isPart(show) ? { show } : {};
}

function isPart(text: string): text is TimelinePart {
  return Object.hasOwn(TIMELINE_PARTS, text);
}
