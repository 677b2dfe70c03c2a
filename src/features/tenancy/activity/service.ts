import { invalidRequest } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import { readTime } from '../../../resources/filter-values.ts';
import { readFilters } from '../../../resources/filters.ts';
import { decodeCursor, encodeCursor } from '../../../resources/list-order.ts';
import { DEFAULT_LIMIT } from '../../../resources/paging.ts';
import { historyDb, kindVisibilityOf, withNames } from '../entity-history/index.ts';
import { ACTIVITY_FILTERS, LISTED_KINDS } from './filters.ts';
import { type ChangeRow, listChanges, type Position } from './queries.ts';
import type { ActivityPage, ActivityQuery } from './schema.ts';

/**
 * Returns one page of the changes that the caller may see, newest first. @throws AppError INVALID_REQUEST for unknown
 * filters and for a malformed cursor.
 */
export async function listActivity(
  ctx: MemberContext,
  { limit = DEFAULT_LIMIT, after, filters = {} }: ActivityQuery,
): Promise<ActivityPage> {
  const { unrestricted, ofUnits, units } = kindVisibilityOf(ctx.caller);
  const isListed = (kind: (typeof LISTED_KINDS)[number]) => LISTED_KINDS.includes(kind);
  const db = historyDb(ctx);
  const rows = await listChanges(db, {
    visibility: { unrestricted: unrestricted.filter(isListed), ofUnits: ofUnits.filter(isListed), units },
    conditions: readFilters(ACTIVITY_FILTERS, filters),
    after: after === undefined ? null : readPosition(after),
    limit,
  });
  const last = rows.length < limit ? undefined : rows.at(-1);
  const results = await withNames(ctx, rows);
  return {
    results: results.map(({ time: _time, deleted: _deleted, ...change }) => change),
    next: last === undefined ? null : cursorOf(last),
  };
}

function cursorOf({ time, entity_type, key, version, deleted }: ChangeRow): string {
  return encodeCursor([time, entity_type, key, String(version), String(deleted)]);
}

/** Reads the position in a cursor. @throws AppError INVALID_REQUEST naming `after` if it is malformed. */
function readPosition(after: string): Position {
  const [time = '', kind = '', key = '', version = '', deleted, ...rest] = decodeCursor(after);
  const isValid =
    readTime(time) !== undefined &&
    LISTED_KINDS.some((each) => each === kind) &&
    !key.includes('\0') &&
    key.isWellFormed() &&
    /^\d{1,9}$/.test(version) &&
    (deleted === 'true' || deleted === 'false') &&
    rest.length === 0;
  if (!isValid)
    throw invalidRequest([{ field: 'after', message: 'must be the `next` of a page of this list' }]);
  return { time, kind, key, version: Number(version), deleted: deleted === 'true' };
}
