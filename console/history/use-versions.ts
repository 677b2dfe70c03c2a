import type { VersionRecord } from '../../sdk/src/generated/schemas.ts';
import { isMembers } from '../drafts/json.ts';
import { useTenantQuery } from '../session/use-tenant-query.ts';
import type { RecordKey, Version } from './restore-request.ts';

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

/** Returns versions whose content is an object, as that of all records is. */
export function withMembers(versions: readonly VersionRecord[]): Version[] {
  return versions.flatMap((version) => (isMembers(version.data) ? [{ ...version, data: version.data }] : []));
}
