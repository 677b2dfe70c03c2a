import { useTenantQuery } from '../../session/use-tenant-query.ts';

/** Reads the records that use an audience. */
export function useAudienceUsage(id: string) {
  return useTenantQuery(['audiences', id, 'usage'], (api, options) => api.audiences.usage(id, options));
}
