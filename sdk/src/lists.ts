/** Reads lists page by page. */

/** The query of a list: the SDK fills in `page` (1), `limit` (20) and `filters` (none). */
export type ListInput<Q, Conditions = never, SortField extends string = never> = Optional<
  Typed<Q, Conditions, SortField>,
  'page' | 'limit' | 'filters'
>;

/** The query of all pages of a list. `limit` is the size of a page, at most 100. */
export type AllInput<Q, Conditions = never, SortField extends string = never> = Optional<
  Omit<Typed<Q, Conditions, SortField>, 'page' | 'pageSize' | 'limit' | 'after' | 'count'>,
  'filters'
> & {
  readonly limit?: number | undefined;
};

/** A query with the filters and the order of its list, if the list has them. */
type Typed<Q, Conditions, SortField extends string> = Sorted<Filtered<Q, Conditions>, SortField>;

type Filtered<Q, Conditions> = [Conditions] extends [never]
  ? Q
  : Omit<Q, 'filters'> & { readonly filters?: Conditions | undefined };

type Sorted<Q, SortField extends string> = [SortField] extends [never]
  ? Q
  : Omit<Q, 'sort'> & {
      /** A field; `-` before it means descending. Default: `-created_at`. */
      readonly sort?: SortField | `-${SortField}` | undefined;
    };

/** A type with some members made optional. */
export type Optional<Q, K extends string> = Omit<Q, K> & Partial<Pick<Q, K & keyof Q>>;

/** One page, in any of the formats of the API's lists. */
export interface Page<T = unknown> extends Position {
  readonly results: readonly T[];
  readonly metadata?: Position & { readonly total_pages?: number };
}

interface Position {
  readonly totalPages?: number;
  /** The value of `after` for the next page; null on the last page. */
  readonly next?: string | null;
}

/** How a list is read in pages. */
interface ListKind {
  /** The query parameter for the page size. */
  readonly sizeName?: string;
  /** True if the list accepts `after` and `count`. */
  readonly hasPositions?: boolean;
}

/** The largest page that the API serves. */
const MAX_LIMIT = 100;

/**
 * Iterates over all items of a list. Requests the next page while the caller processes the current one. `load` reads
 * the page of a query.
 */
export async function* allItems<T>(
  load: (query: Record<string, unknown>) => Promise<Page<T>>,
  query: Record<string, unknown> = {},
  { sizeName = 'limit', hasPositions = false }: ListKind = {},
): AsyncGenerator<T, void, undefined> {
  const { limit = MAX_LIMIT, ...conditions } = query;
  // Without a total, a response has the position of the next page. Unlike page numbers, a position skips no item when
  // others are deleted.
  const withoutTotal = hasPositions ? { count: false } : {};
  const loadPage = (page: object) => load({ ...conditions, ...withoutTotal, ...page, [sizeName]: limit });
  let pending: Promise<Page<T>> | null = loadPage({ page: 1 });
  for (let page = 1; pending !== null; page++) {
    const loaded: Page<T> = await pending;
    const { results, metadata } = loaded;
    const next = loaded.next === undefined ? metadata?.next : loaded.next;
    const pages = loaded.totalPages ?? metadata?.total_pages ?? 0;
    if (typeof next === 'string') pending = loadPage({ after: next });
    else pending = next === undefined && page < pages ? loadPage({ page: page + 1 }) : null;
    // The caller may stop before this page is awaited.
    pending?.catch(() => undefined);
    yield* results;
  }
}
