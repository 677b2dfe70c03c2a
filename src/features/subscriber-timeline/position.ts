/** Positions in a timeline, and the cursors of its pages. */
import { invalidRequest } from '../../errors/platform-errors.ts';
import { TIMELINE_KINDS } from '../../timeline/timeline-source.ts';
import type { TimelineEntry } from './schema.ts';

/** The position of an entry: its time, then its kind and id. */
export type Position = Pick<TimelineEntry, 'at' | 'kind' | 'id'>;

/** Returns the cursor of the page after an entry. */
export function cursorAfter({ at, kind, id }: Position): string {
  return Buffer.from(JSON.stringify([at, kind, id])).toString('base64url');
}

/** Reads a cursor. @throws AppError INVALID_REQUEST if it is malformed. */
export function readCursor(cursor: string): Position {
  const [at, kindName, id, ...rest] = decode(cursor);
  const kind = TIMELINE_KINDS.find((each) => each === kindName);
  const isTime = typeof at === 'string' && !Number.isNaN(Date.parse(at));
  if (isTime && kind !== undefined && typeof id === 'string' && rest.length === 0) return { at, kind, id };
  throw invalidRequest([{ field: 'after', message: 'must be the `next` of a page of this timeline' }]);
}

function decode(cursor: string): unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(values) ? values : [];
  } catch {
    return [];
  }
}
