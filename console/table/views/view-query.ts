/** Saved views as text: the parameters of a table, as the URL has them. */
import { readTableSearch, type TableSearch } from '../table-search.ts';
import type { TableSearchChange } from '../use-table-search.ts';

/** Removes what a view says about a table. */
const NOTHING: TableSearchChange = {
  search: undefined,
  filter: undefined,
  sort: undefined,
  columns: undefined,
  density: undefined,
};

/** Prints what a table shows, always in the same order; '' for all rows. */
export function printView(search: TableSearch): string {
  const { search: text, filter, sort, columns, density } = search;
  const entries = Object.entries({ search: text, filter, sort, columns, density });
  const given = entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return new URLSearchParams(Object.fromEntries(given)).toString();
}

/** Returns the change of a table to a view. */
export function readView(query: string): TableSearchChange {
  return { ...NOTHING, ...readTableSearch(Object.fromEntries(new URLSearchParams(query))) };
}
