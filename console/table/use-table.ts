import { useMemo } from 'react';
import type { ListFacts, ListFilters } from '../../sdk/src/list-facts.ts';
import { type Condition, toApiFilters } from '../filters/condition.ts';
import { type FilterFault, parseFilter, printFilter } from '../filters/filter-text.ts';
import { readColumns, readSort, type ShownColumn, type TableColumn } from './column.ts';
import type { TableSearchChange, TableSearchState } from './use-table-search.ts';

const NO_FILTERS: ListFilters = { fields: {}, operations: [] };

interface TableOptions<Row, Sort extends string> extends TableSearchState {
  /** The facts of the operation that reads the list. */
  readonly facts: Pick<ListFacts, 'filters'> & { readonly sorts: readonly Sort[] };
  readonly columns: readonly TableColumn<Row>[];
  /** Default: newest first. */
  readonly usualSort?: Sort | `-${Sort}`;
}

/** State of a table: the parameters of the URL, checked against the facts of the list. */
export interface Table<Row, Sort extends string = string> {
  readonly columns: readonly TableColumn<Row>[];
  readonly shown: readonly ShownColumn<Row>[];
  readonly isCompact: boolean;
  readonly search: string;
  /** Fields that the list can be sorted by. */
  readonly sorts: readonly Sort[];
  /** The order for the API. */
  readonly sort: Sort | `-${Sort}`;
  readonly filters: ListFilters;
  readonly conditions: readonly Condition[];
  /** Returns the filters for the API. */
  readonly apiFilters: <Filters>() => Filters;
  /** Values that the rows depend on, for the key of their query. */
  readonly key: readonly string[];
  /** Names in the URL that the list does not have. */
  readonly unknown: {
    readonly columns: readonly string[];
    readonly sort: string | null;
    readonly filters: readonly FilterFault[];
  };
  readonly change: (change: TableSearchChange) => void;
}

/** Reads the parameters of a table. */
export function useTable<Row, Sort extends string>(options: TableOptions<Row, Sort>): Table<Row, Sort> {
  const { facts, columns, search, change, usualSort } = options;
  const { filters = NO_FILTERS, sorts } = facts;
  const { conditions, faults } = useMemo(
    () => parseFilter(search.filter ?? '', filters),
    [search.filter, filters],
  );
  const chosen = readColumns(search.columns, columns);
  const orders = sorts.flatMap((field): (Sort | `-${Sort}`)[] => [field, `-${field}` as const]);
  const { sort: sortText, unknown: unknownSort } = readSort(search.sort, sorts, usualSort ?? '-created_at');
  const sort = orders.find((each) => each === sortText) ?? orders[0];
  if (sort === undefined) throw new Error('A table needs a list that can be sorted');
  return {
    columns,
    shown: chosen.shown,
    isCompact: search.density === 'compact',
    search: search.search ?? '',
    sorts,
    sort,
    filters,
    conditions,
    apiFilters: () => toApiFilters(conditions, filters),
    key: [search.search ?? '', printFilter(conditions, filters), sort],
    unknown: { columns: chosen.unknown, sort: unknownSort, filters: faults },
    change,
  };
}
