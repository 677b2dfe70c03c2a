import { useTenantQuery } from '../../session/use-tenant-query.ts';

/** Reads the records that use a list. */
export function useListUsage(id: string) {
  return useTenantQuery(['lists', id, 'usage'], (api, options) => api.lists.usage(id, options));
}
