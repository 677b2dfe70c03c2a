import type { schemas } from '../../sdk/src/index.ts';
import { useTenantQuery } from '../session/use-tenant-query.ts';
import { PAGE_ROWS } from '../table/use-pages.ts';

/** Reads the lists that the user sees, by name: the first page. Nothing is read unless they are needed. */
export function useLists(isNeeded = true) {
  return useTenantQuery<schemas.List[]>(
    ['lists'],
    async (api, options) => {
      const { results } = await api.lists.list({ limit: PAGE_ROWS, sort: 'name', count: false }, options);
      return results;
    },
    { isNeeded },
  );
}

/** Returns the names of lists; the id of one that is not known. */
export function listNames(ids: readonly string[], lists: readonly schemas.List[]): string {
  return ids.map((id) => lists.find((list) => list.id === id)?.name ?? id).join(', ');
}
