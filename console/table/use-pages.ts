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

/** The page to read. */
export interface PageRequest {
  /** Position of the page; undefined for the first one. */
  readonly after: string | undefined;
  /** The total is only needed with the first page. */
  readonly hasTotal: boolean;
}

/** A page of a list. */
export interface ListPage<Row> {
  readonly results: readonly Row[];
  /** Absent unless it was requested. */
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
  /** Rows of the whole list; null until the first page is read. */
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
  readonly total: number | null;
}

/** Pages that are loaded. */
interface Span {
  readonly id: string;
  readonly first: number;
  readonly last: number;
}

/**
 * Reads a list page by page, as its rows become visible. Each page is a query of its own, so that scrolling back, a
 * change of a record and the focus of the window read only visible pages again.
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
      read({ after: known.starts[index], hasTotal: index === 0 }, signal),
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
  // The first page has the total. The visible rows are on three pages at most.
  const indexes = [0, first, first + 1, first + 2];
  const results = [
    useQuery(queryOf(0)),
    useQuery(queryOf(first)),
    useQuery(queryOf(first + 1)),
    useQuery(queryOf(first + 2)),
  ];
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
    count: isReady ? countRows(chain) : 0,
    total: chain.total,
    rowAt: (index: number) => pageAt(Math.floor(index / PAGE_ROWS))?.results[index % PAGE_ROWS],
  };
  const settled = useRef<typeof own | null>(null);
  useEffect(() => {
    if (isReady) settled.current = own;
  });
  const error = results.find((each) => each.error !== null)?.error ?? null;
  const isOld = !isReady && error === null && settled.current !== null;
  const pageCount = known.starts.length;
  return {
    ...(isOld && settled.current !== null ? settled.current : own),
    isLoading: !isReady && !isOld && error === null,
    isOld,
    error,
    isRetrying: results.some((each) => each.error !== null && each.isFetching),
    retry: () => {
      for (const each of results) if (each.error !== null) void each.refetch();
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

function newChain(id: string): Chain {
  return { id, starts: [undefined], isComplete: false, lastRows: 0, total: null };
}

function clampPage(row: number, count: number): number {
  return Math.min(Math.max(0, Math.floor(row / PAGE_ROWS)), count - 1);
}

/** Adds the position after a loaded page, or the end of the list. Returns the same chain if nothing is new. */
function extendChain<Row>(chain: Chain, index: number, page: ListPage<Row> | undefined): Chain {
  if (page === undefined) return chain;
  const total = page.total ?? chain.total;
  const { next } = page;
  if (typeof next === 'string') {
    const isNew = chain.starts[index + 1] !== next;
    if (!isNew && total === chain.total) return chain;
    const starts = isNew ? replaceAt(chain.starts, index + 1, next) : chain.starts;
    return { ...chain, starts, total, isComplete: chain.isComplete && index + 1 < chain.starts.length };
  }
  const isSame =
    chain.isComplete && chain.starts.length === index + 1 && chain.lastRows === page.results.length;
  if (isSame && total === chain.total) return chain;
  return {
    ...chain,
    starts: chain.starts.slice(0, index + 1),
    isComplete: true,
    lastRows: page.results.length,
    total,
  };
}

function replaceAt<Value>(list: readonly Value[], index: number, value: Value): readonly Value[] {
  return [...list.slice(0, index), value, ...list.slice(index + 1)];
}

function countRows({ starts, isComplete, lastRows, total }: Chain): number {
  const full = (starts.length - 1) * PAGE_ROWS;
  if (isComplete) return full + lastRows;
  return total === null ? full + PAGE_ROWS : Math.min(full + PAGE_ROWS, Math.max(total, full));
}
