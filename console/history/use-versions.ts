import { useTenantQuery } from '../session/use-tenant-query.ts';
import type { RecordKey } from './restore-request.ts';

/**
 * Reads the versions of a record. A screen calls it, too, when its URL opens the history, so that they are requested
 * together with the record and not after the drawer's code has loaded.
 */
export function useVersions({ entityType, entitySortKey }: RecordKey, isNeeded = true) {
  return useTenantQuery(
    ['history', entityType, entitySortKey],
    (api, options) => api.entityVersions.list({ entityType, entitySortKey }, options),
    { isNeeded },
  );
}
