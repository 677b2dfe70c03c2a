import { type QueryKey, usePrefetchQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';

/** Rows per page: the maximum of the API. */
export const PAGE_ROWS = 100;
/** Pages that stay in memory on each side of the visible ones: 2,000 rows in total. */
const KEPT_PAGES = 9;
/** Rows beyond the visible ones that are loaded in advance. */
const AHEAD_ROWS = 40;
/** A page that is shown again within this time is not read again, in ms. */
const FRESH_MS = 10_000;

/** Time between two readings of a page with rows that are running, in ms. */
const RUNNING_MS = 5_000;

/** Further properties of a list. */
export interface PagesOptions<Row> {
  /** Returns true for a row that changes by itself. Its page is read again while it is visible. */
  readonly isRunning?: (row: Row) => boolean;
}

/** A page to read, or the total with as few rows as possible. */
export interface PageRequest {
  /** Position of the page; undefined for the first one. */
  readonly after: string | undefined;
  /** The maximum number of rows. */
  readonly limit: number;
  readonly hasTotal: boolean;
}

/** A page of a list. */
export interface ListPage<Row> {
  readonly results: readonly Row[];
  /** Rows of the whole list. Absent unless it was requested. */
  readonly total?: number | undefined;
  /** Position of the next page; null on the last one. */
  readonly next?: string | null | undefined;
}

/** Reads a page. */
export type ReadPage<Row> = (request: PageRequest, signal: AbortSignal) => Promise<ListPage<Row>>;

/** A list, of which the pages around the visible rows are loaded. */
export interface Pages<Row> {
  /** Rows that can be scrolled to: all up to one page after the last that was read. */
  readonly count: number;
  /** Rows of the whole list; null until it is known, which may be after the first rows. */
  readonly total: number | null;
  /** Returns a row; undefined while it is not loaded. */
  readonly rowAt: (index: number) => Row | undefined;
  /** True until the first page is loaded. */
  readonly isLoading: boolean;
  /** True while the rows are those of the previous query. */
  readonly isOld: boolean;
  readonly error: Error | null;
  readonly isRetrying: boolean;
  readonly retry: () => void;
  /** Sets the visible rows, so that their pages are loaded. */
  readonly show: (first: number, last: number) => void;
  /** Loads the rows between two, both included. */
  readonly loadRows: (first: number, last: number) => Promise<readonly Row[]>;
}

/** Positions of the pages of one query. */
interface Chain {
  readonly id: string;
  /** Position of each known page. */
  readonly starts: readonly (string | undefined)[];
  /** True if the last known page is the last of the list. */
  readonly isComplete: boolean;
  /** Rows of the last page. */
  readonly lastRows: number;
}

/** Pages that are loaded. */
interface Span {
  readonly id: string;
  readonly first: number;
  readonly last: number;
}

/**
 * Reads a list page by page, as its rows become visible. Each page is a query of its own, so that scrolling back, a
 * change of a record and the focus of the window read only visible pages again. So is the total of a list with several
 * pages, so that rows need not wait until all are counted.
 */
export function usePages<Row>(
  queryKey: QueryKey,
  read: ReadPage<Row>,
  { isRunning }: PagesOptions<Row> = {},
): Pages<Row> {
  const client = useQueryClient();
  const id = JSON.stringify(queryKey);
  const [storedChain, storeChain] = useState<Chain>(() => newChain(id));
  const [storedSpan, storeSpan] = useState<Span>({ id, first: 0, last: 0 });
  const known = storedChain.id === id ? storedChain : newChain(id);
  const span = storedSpan.id === id ? storedSpan : { id, first: 0, last: 0 };

  const keyOf = (index: number) => [...queryKey, 'page', index, known.starts[index] ?? null];
  const queryOf = (index: number) => ({
    queryKey: keyOf(index),
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      read({ after: known.starts[index], limit: PAGE_ROWS, hasTotal: false }, signal),
    staleTime: FRESH_MS,
    refetchInterval: ({
      state: { data },
    }: {
      readonly state: { readonly data: ListPage<Row> | undefined };
    }) => (isRunning !== undefined && data?.results.some(isRunning) === true ? RUNNING_MS : false),
    enabled: index === 0 || (index <= span.last && index < known.starts.length),
  });
  // Requests the rows while the screen is rendered, not afterwards.
  usePrefetchQuery(queryOf(0));
  const { first, last } = span;
  // The first page says how many rows there are, or that there are more. The visible rows are on three pages at most.
  const indexes = [0, first, first + 1, first + 2];
  const results = [
    useQuery(queryOf(0)),
    useQuery(queryOf(first)),
    useQuery(queryOf(first + 1)),
    useQuery(queryOf(first + 2)),
  ];
  const firstPage = results[0]?.data;
  const { total, counting } = useTotal(queryKey, read, firstPage);
  const chain = indexes.reduce((sum, index, place) => extendChain(sum, index, results[place]?.data), known);
  useEffect(() => {
    if (chain !== storedChain) storeChain(chain);
  }, [chain, storedChain]);
  useEffect(() => {
    // Pages of any table have keys of this form; those of other tables are not in use.
    const isFar = (index: number) => index !== 0 && (index < first - KEPT_PAGES || index > last + KEPT_PAGES);
    client.removeQueries({
      predicate: ({ queryKey: key }) => key.at(-3) === 'page' && isFar(Number(key.at(-2))),
      type: 'inactive',
    });
  }, [client, first, last]);

  const pageAt = (index: number): ListPage<Row> | undefined =>
    results[indexes.indexOf(index)]?.data ?? client.getQueryData<ListPage<Row>>(keyOf(index));
  const isReady = pageAt(0) !== undefined;
  const own = {
    count: isReady ? countRows(chain, total) : 0,
    total,
    rowAt: (index: number) => pageAt(Math.floor(index / PAGE_ROWS))?.results[index % PAGE_ROWS],
  };
  const settled = useRef<typeof own | null>(null);
  useEffect(() => {
    if (isReady) settled.current = own;
  });
  const queries = [...results, ...counting];
  const error = queries.find((each) => each.error !== null)?.error ?? null;
  const isOld = !isReady && error === null && settled.current !== null;
  const pageCount = known.starts.length;
  return {
    ...(isOld && settled.current !== null ? settled.current : own),
    isLoading: !isReady && !isOld && error === null,
    isOld,
    error,
    isRetrying: queries.some((each) => each.error !== null && each.isFetching),
    retry: () => {
      for (const each of queries) if (each.error !== null) void each.refetch();
    },
    show: useCallback(
      (firstRow, lastRow) => {
        const next = {
          id,
          first: clampPage(firstRow - AHEAD_ROWS, pageCount),
          last: clampPage(lastRow + AHEAD_ROWS, pageCount),
        };
        storeSpan((now) =>
          now.id === id && now.first === next.first && now.last === next.last ? now : next,
        );
      },
      [id, pageCount],
    ),
    loadRows: async (firstRow, lastRow) => {
      const pages: (readonly Row[])[] = [];
      for (let index = clampPage(firstRow, pageCount); index <= clampPage(lastRow, pageCount); index++)
        pages.push((await client.ensureQueryData(queryOf(index))).results);
      const start = clampPage(firstRow, pageCount) * PAGE_ROWS;
      return pages.flat().slice(firstRow - start, lastRow - start + 1);
    },
  };
}

/** The number of rows: the first page has them all, or the API counts them. */
function useTotal<Row>(queryKey: QueryKey, read: ReadPage<Row>, firstPage: ListPage<Row> | undefined) {
  const isLong = typeof firstPage?.next === 'string';
  const counted = useQuery({
    queryKey: [...queryKey, 'total'],
    queryFn: async ({ signal }) =>
      (await read({ after: undefined, limit: 1, hasTotal: true }, signal)).total ?? null,
    staleTime: FRESH_MS,
    enabled: isLong,
  });
  const total = isLong ? (counted.data ?? null) : (firstPage?.results.length ?? null);
  return { total, counting: isLong ? [counted] : [] };
}

function newChain(id: string): Chain {
  return { id, starts: [undefined], isComplete: false, lastRows: 0 };
}

function clampPage(row: number, count: number): number {
  return Math.min(Math.max(0, Math.floor(row / PAGE_ROWS)), count - 1);
}

/** Adds the position after a loaded page, or the end of the list. Returns the same chain if nothing is new. */
function extendChain<Row>(chain: Chain, index: number, page: ListPage<Row> | undefined): Chain {
  if (page === undefined) return chain;
  const { next } = page;
  if (typeof next === 'string') {
    if (chain.starts[index + 1] === next) return chain;
    const isComplete = chain.isComplete && index + 1 < chain.starts.length;
    return { ...chain, starts: replaceAt(chain.starts, index + 1, next), isComplete };
  }
  const isSame =
    chain.isComplete && chain.starts.length === index + 1 && chain.lastRows === page.results.length;
  if (isSame) return chain;
  return {
    ...chain,
    starts: chain.starts.slice(0, index + 1),
    isComplete: true,
    lastRows: page.results.length,
  };
}

function replaceAt<Value>(list: readonly Value[], index: number, value: Value): readonly Value[] {
  return [...list.slice(0, index), value, ...list.slice(index + 1)];
}

function countRows({ starts, isComplete, lastRows }: Chain, total: number | null): number {
  const full = (starts.length - 1) * PAGE_ROWS;
  if (isComplete) return full + lastRows;
  return total === null ? full + PAGE_ROWS : Math.min(full + PAGE_ROWS, Math.max(total, full));
}
