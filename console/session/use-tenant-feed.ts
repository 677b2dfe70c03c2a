import {
  infiniteQueryOptions,
  keepPreviousData,
  useInfiniteQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { Tessera } from '../../sdk/src/index.ts';
import { useApi, useMembership, useUnit } from './session-context.tsx';
import { FRESH_MS } from './use-tenant-query.ts';

/** Pages of data that a screen shows one below the other. */
interface TenantFeed<Page> {
  /** Position of the first page, which `read` understands. */
  readonly first: string;
  readonly read: (api: Tessera, position: string, options: { readonly signal: AbortSignal }) => Promise<Page>;
  /** Returns the position of the page after the last of `pages`; null if there is none. */
  readonly next: (pages: readonly Page[]) => string | null;
  /** False while the data are not needed: nothing is read. */
  readonly isNeeded?: boolean;
}

/** Reads data of the tenant and unit of the URL page by page. `key` names the data within the tenant. */
export function useTenantFeed<Page>(
  key: readonly unknown[],
  { first, read, next, isNeeded = true }: TenantFeed<Page>,
) {
  const api = useApi();
  const client = useQueryClient();
  const { tenant_code } = useMembership();
  const unit = useUnit()?.bu_id ?? null;
  const options = infiniteQueryOptions({
    queryKey: [tenant_code, ...key, { unit }],
    queryFn: ({ pageParam, signal }) => read(api, pageParam, { signal }),
    initialPageParam: first,
    getNextPageParam: (_last: Page, pages: readonly Page[]) => next(pages),
    staleTime: FRESH_MS,
  });
  // Requests the data while the screen is rendered, not afterwards.
  if (isNeeded && client.getQueryState(options.queryKey) === undefined)
    void client.prefetchInfiniteQuery(options);
  return useInfiniteQuery({ ...options, enabled: isNeeded, placeholderData: keepPreviousData });
}
