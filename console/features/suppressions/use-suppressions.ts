import { suppressionsList } from '../../../sdk/src/generated/lists.ts';
import type { schemas } from '../../../sdk/src/index.ts';
import type { ListFilters } from '../../../sdk/src/list-facts.ts';
import type { Pages } from '../../table/use-pages.ts';
import type { Table } from '../../table/use-table.ts';
import { useTenantPages } from '../../table/use-tenant-pages.ts';
import { CAUSES, type Cause } from './suppression-types.ts';

// The list has a query parameter for the cause instead of filters.
const FILTERS: ListFilters = {
  fields: { type: { type: 'text', values: CAUSES } },
  operations: ['eq'],
};

/** How the list can be sorted and filtered. */
export const FACTS = { ...suppressionsList, filters: FILTERS };

/** The filters of the list, as the table makes them. */
export interface SuppressionFilters {
  readonly type?: { readonly eq?: Cause };
}

/** Reads the suppressions that a table shows. */
export function useSuppressions(
  { key, search, sort }: Table<schemas.Suppression, (typeof suppressionsList)['sorts'][number]>,
  { type }: SuppressionFilters,
): Pages<schemas.Suppression> {
  return useTenantPages(['suppressions', ...key], async (api, { after, limit, hasTotal }, options) => {
    const { results, metadata } = await api.suppressions.list(
      {
        pageSize: limit,
        sort,
        type: type?.eq,
        ...(after === undefined ? { page: 1 } : { after }),
        ...(hasTotal ? {} : { count: 'false' }),
        ...(search === '' ? {} : { search }),
      },
      options,
    );
    return { results, total: metadata.total, next: metadata.next };
  });
}
