import {
  keepPreviousData,
  queryOptions,
  usePrefetchQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { Tessera } from '../../sdk/src/index.ts';
import { useApi, useMembership, useUnit } from './session-context.tsx';

/** Reads data of the tenant and unit of the URL. `key` names the data within the tenant: `['members', search]`. */
export function useTenantQuery<Data>(
  key: readonly unknown[],
  read: (api: Tessera, options: { readonly signal: AbortSignal }) => Promise<Data>,
) {
  const api = useApi();
  const { tenant_code } = useMembership();
  const unit = useUnit()?.bu_id ?? null;
  const options = queryOptions({
    queryKey: [tenant_code, ...key, { unit }],
    queryFn: ({ signal }) => read(api, { signal }),
  });
  // Requests the data while the screen is rendered, not afterwards.
  usePrefetchQuery(options);
  return useQuery({ ...options, placeholderData: keepPreviousData });
}

/** Returns a function that reloads all data whose key begins with the given parts; call it after a change. */
export function useInvalidate(): (...key: readonly unknown[]) => Promise<void> {
  const client = useQueryClient();
  const { tenant_code } = useMembership();
  return (...key) => client.invalidateQueries({ queryKey: [tenant_code, ...key] });
}
