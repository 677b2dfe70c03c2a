import type { ListedVersion } from '../../sdk/src/generated/schemas.ts';
import { TesseraError } from '../../sdk/src/index.ts';
import { isMembers } from '../drafts/json.ts';
import { useTenantFeed } from '../session/use-tenant-feed.ts';
import { useTenantQuery } from '../session/use-tenant-query.ts';
import type { RecordKey, Version } from './restore-request.ts';

/** Versions of a page. */
const PAGE_VERSIONS = 50;

/**
 * Reads the versions of a record, the newest first. Large ones come without their content. A screen calls it, too, when
 * its URL opens the history, so that they are requested together with the record and not after the drawer's code has
 * loaded.
 */
export function useVersions(key: RecordKey, isNeeded = true) {
  return useTenantFeed(['history', key.entityType, key.entitySortKey], {
    first: '1',
    read: (api, page, options) =>
      api.entityVersions.list({ ...key, page: Number(page), limit: PAGE_VERSIONS, order: 'desc' }, options),
    next: (pages) => (pages.at(-1)?.length === PAGE_VERSIONS ? String(pages.length + 1) : null),
    isNeeded,
  });
}

/**
 * Reads the content of one version, unless a loaded page has it. `data` is null for a version that does not exist or
 * without a number, and undefined while it is not loaded.
 */
export function useVersion(key: RecordKey, listed: readonly ListedVersion[], number: number | null) {
  const known = listed.find(({ version }) => version === number);
  const loaded = known === undefined ? null : withMembers(known);
  const { data, ...query } = useTenantQuery(
    ['history', key.entityType, key.entitySortKey, number],
    async (api, options) => {
      try {
        return withMembers(await api.entityVersions.get(String(number), key, options));
      } catch (error) {
        if (error instanceof TesseraError && error.status === 404) return null;
        throw error;
      }
    },
    { isNeeded: number !== null && loaded === null },
  );
  return { ...query, data: loaded ?? (number === null ? null : data) };
}

/** Returns a version whose content is an object, as that of all records is; null if it has none. */
export function withMembers(version: ListedVersion): Version | null {
  return isMembers(version.data) ? { ...version, data: version.data } : null;
}
