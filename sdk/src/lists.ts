/** Walks through the pages of lists. */

/** One page, as most lists of the API have it. */
export interface Page<T = unknown> {
  readonly results: readonly T[];
  readonly total: number;
  readonly totalPages: number;
}

/** The largest page that the API serves. */
const MAX_LIMIT = 100;

/**
 * Iterates over all items of a list, from page to page. The next page is requested while the items of the one before are
 * used. `load` reads a page by its query.
 */
export async function* allItems<T>(
  load: (query: Record<string, unknown>) => Promise<Page<T>>,
  query: Record<string, unknown> = {},
): AsyncGenerator<T, void, undefined> {
  const limit = query.limit ?? MAX_LIMIT;
  const loadPage = (page: number) => load({ ...query, page, limit });
  let next: Promise<Page<T>> | null = loadPage(1);
  for (let page = 1; next !== null; page++) {
    const { results, totalPages }: Page<T> = await next;
    next = page < totalPages ? loadPage(page + 1) : null;
    // The loop below may end before it is awaited.
    next?.catch(() => undefined);
    yield* results;
  }
}
