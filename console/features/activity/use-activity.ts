import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { schemas } from '../../../sdk/src/index.ts';
import { useApi, useMembership, useUnit } from '../../session/session-context.tsx';
import { PAGE_ROWS } from '../../table/use-pages.ts';

/** The filters of the list, as the API takes them. */
export type ActivityFilters = NonNullable<schemas.ActivityQuery['filters']>;

/** Reads the changes in the tenant and unit of the URL page by page, newest first. `key` identifies the filters. */
export function useActivity(key: string, filters: ActivityFilters) {
  const api = useApi();
  const { tenant_code } = useMembership();
  const unit = useUnit()?.bu_id ?? null;
  return useInfiniteQuery({
    ...infiniteQueryOptions({
      queryKey: [tenant_code, 'activity', key, { unit }],
      queryFn: ({ pageParam: after, signal }) =>
        api.activity.list({ limit: PAGE_ROWS, filters, ...(after === '' ? {} : { after }) }, { signal }),
      initialPageParam: '',
      getNextPageParam: ({ next }) => next,
    }),
    placeholderData: keepPreviousData,
  });
}
