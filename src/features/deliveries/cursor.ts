/** The order of deliveries, by their creation, and the cursors of their pages. */
import { invalidRequest } from '../../errors/platform-errors.ts';
import { isUuid } from '../../resources/keys.ts';

const NEWEST_FIRST = '-created_at';
const OLDEST_FIRST = 'created_at';

/** An order of the list. */
interface DeliveryOrder {
  /** Value of `sort`. */
  readonly name: string;
  readonly isDescending: boolean;
}

/** Reads `sort`. @throws AppError INVALID_REQUEST for another field. */
export function readOrder(sort = NEWEST_FIRST): DeliveryOrder {
  if (sort === NEWEST_FIRST || sort === OLDEST_FIRST)
    return { name: sort, isDescending: sort === NEWEST_FIRST };
  const message = 'must be created_at, with - before it for descending order';
  throw invalidRequest([{ field: 'sort', message }]);
}

/** Returns the cursor of the page after a delivery. */
export function cursorAfter(order: string, id: string): string {
  return Buffer.from(JSON.stringify([order, id])).toString('base64url');
}

/** Returns the id in a cursor. @throws AppError INVALID_REQUEST if it is malformed or from another order. */
export function readCursor(order: string, after: string): string {
  const [name, id, ...rest] = decode(after);
  if (name === order && typeof id === 'string' && isUuid(id) && rest.length === 0) return id;
  throw invalidRequest([
    { field: 'after', message: 'must be the `next` of a page of this list with the same sort' },
  ]);
}

function decode(cursor: string): unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(values) ? values : [];
  } catch {
    return [];
  }
}
