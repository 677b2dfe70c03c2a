import { useEffect, useRef, useState } from 'react';
import type { Pages } from './use-pages.ts';

/** Selected rows. */
export interface Selection {
  /** Keys of the selected rows; empty if all rows are selected. */
  readonly keys: ReadonlySet<string>;
  /** All rows that match the search and the filters, also those that are not loaded. */
  readonly isAll: boolean;
  readonly count: number;
  readonly clear: () => void;
}

/** Selected rows, and how they change. */
export interface SelectionState extends Selection {
  readonly has: (key: string) => boolean;
  /** Selects a row, or removes it from the selection. With `isRange` selects all rows since the last one. */
  readonly toggle: (index: number, isRange: boolean) => void;
  /** Selects all rows between two. */
  readonly addRange: (from: number, to: number) => void;
  readonly selectAll: () => void;
}

interface Selected {
  /** The query when the rows were selected: another search or filter ends the selection. */
  readonly query: string;
  readonly keys: ReadonlySet<string>;
  readonly isAll: boolean;
  /** Number of all rows when all were selected: in another order they are counted again. */
  readonly allCount?: number;
}

/** Keeps the selection of a list. `query` is what its rows depend on. */
export function useSelection<Row>(
  { rowAt, loadRows, total }: Pages<Row>,
  keyOf: (row: Row) => string,
  query: string,
): SelectionState {
  const none: Selected = { query, keys: new Set(), isAll: false };
  const [stored, store] = useState<Selected>(none);
  const anchor = useRef<number | null>(null);
  const { keys, isAll, allCount = 0 } = stored.query === query ? stored : none;
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });

  const toggleOne = (index: number) => {
    const row = rowAt(index);
    if (row === undefined) return;
    const next = new Set(keys);
    if (!next.delete(keyOf(row))) next.add(keyOf(row));
    store({ query, keys: next, isAll: false });
  };
  const addRange = async (from: number, to: number) => {
    anchor.current = to;
    const rows = await loadRows(Math.min(from, to), Math.max(from, to));
    store({ query, keys: new Set([...latest.current, ...rows.map(keyOf)]), isAll: false });
  };
  return {
    keys,
    isAll,
    count: isAll ? (total ?? allCount) : keys.size,
    has: (key) => isAll || keys.has(key),
    toggle: (index, isRange) => {
      if (isRange && anchor.current !== null) return void addRange(anchor.current, index);
      toggleOne(index);
      anchor.current = index;
    },
    addRange: (from, to) => void addRange(from, to),
    selectAll: () => store({ query, keys: new Set(), isAll: true, allCount: total ?? 0 }),
    clear: () => store(none),
  };
}
