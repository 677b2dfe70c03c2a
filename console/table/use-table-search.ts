import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { readTableSearch, type TableSearch } from './table-search.ts';

/** Changes of the parameters in the URL; undefined removes a parameter. */
export type TableSearchChange = { readonly [Name in keyof TableSearch]?: TableSearch[Name] | undefined };

/** The parameters of a table, and how they change. */
export interface TableSearchState {
  readonly search: TableSearch;
  readonly change: (change: TableSearchChange) => void;
}

/** Keeps the parameters of a table in the URL. The browser's back button undoes an order or a filter. */
export function useTableSearch(): TableSearchState {
  const search = readTableSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = useCallback(
    (next: TableSearchChange) => {
      const isStep = 'sort' in next || 'filter' in next;
      void navigate({
        to: '.',
        search: (before: object) => ({ ...before, ...next }),
        replace: !isStep,
        resetScroll: false,
      });
    },
    [navigate],
  );
  return { search, change };
}
