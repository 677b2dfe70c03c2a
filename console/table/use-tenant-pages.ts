import type { Tessera } from '../../sdk/src/index.ts';
import { useApi, useMembership, useUnit } from '../session/session-context.tsx';
import { type ListPage, type PageRequest, type Pages, type PagesOptions, usePages } from './use-pages.ts';

/** Reads a list of the tenant and unit of the URL. `key` names the list and what its rows depend on. */
export function useTenantPages<Row>(
  key: readonly unknown[],
  read: (
    api: Tessera,
    request: PageRequest,
    options: { readonly signal: AbortSignal },
  ) => Promise<ListPage<Row>>,
  options: PagesOptions<Row> = {},
): Pages<Row> {
  const api = useApi();
  const { tenant_code } = useMembership();
  const unit = useUnit()?.bu_id ?? null;
  return usePages(
    [tenant_code, ...key, { unit }],
    (request, signal) => read(api, request, { signal }),
    options,
  );
}
