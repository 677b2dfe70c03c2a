import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Tessera } from '../../sdk/src/index.ts';
import { useApi, useMembership, useUnit } from './session-context.tsx';

/** Time in which data that were requested by a render are not requested again when the screen appears, in ms. */
export const FRESH_MS = 1_000;

/** Further properties of a query. */
interface TenantQueryOptions<Data> {
  /** False while the data are not needed: nothing is read. */
  readonly isNeeded?: boolean;
  /** Returns the time until the data are read again, in ms; false if they do not change by themselves. */
  readonly pollMs?: (data: Data) => number | false;
}

/** Reads data of the tenant and unit of the URL. `key` names the data within the tenant: `['members', search]`. */
export function useTenantQuery<Data>(
  key: readonly unknown[],
  read: (api: Tessera, options: { readonly signal: AbortSignal }) => Promise<Data>,
  { isNeeded = true, pollMs }: TenantQueryOptions<Data> = {},
) {
  const api = useApi();
  const client = useQueryClient();
  const { tenant_code } = useMembership();
  const unit = useUnit()?.bu_id ?? null;
  const options = queryOptions({
    queryKey: [tenant_code, ...key, { unit }],
    queryFn: ({ signal }) => read(api, { signal }),
    staleTime: FRESH_MS,
  });
  // Requests the data while the screen is rendered, not afterwards.
  if (isNeeded && client.getQueryState(options.queryKey) === undefined) void client.prefetchQuery(options);
  return useQuery({
    ...options,
    enabled: isNeeded,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data === undefined ? false : (pollMs?.(data) ?? false)),
  });
}

/** Key of the overview, which every change may concern. */
export const OVERVIEW_KEY = ['overview'];

/**
 * Returns a function that reloads all data whose key begins with the given parts, and the overview; call it after a
 * change.
 */
export function useInvalidate(): (...key: readonly unknown[]) => Promise<void> {
  const client = useQueryClient();
  const { tenant_code } = useMembership();
  return async (...key) => {
    const keys = [key, OVERVIEW_KEY];
    await Promise.all(keys.map((each) => client.invalidateQueries({ queryKey: [tenant_code, ...each] })));
  };
}
