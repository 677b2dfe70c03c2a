import type { schemas } from '../../../sdk/src/index.ts';
import { useTenantFeed } from '../../session/use-tenant-feed.ts';
import { PAGE_ROWS } from '../../table/use-pages.ts';

/** The filters of the list, as the API takes them. */
export type ActivityFilters = NonNullable<schemas.ActivityQuery['filters']>;

/** Reads the changes in the tenant and unit of the URL page by page, newest first. `key` identifies the filters. */
export function useActivity(key: string, filters: ActivityFilters) {
  return useTenantFeed(['activity', key], {
    first: '',
    read: (api, after, options) =>
      api.activity.list({ limit: PAGE_ROWS, filters, ...(after === '' ? {} : { after }) }, options),
    next: (pages) => pages.at(-1)?.next ?? null,
  });
}
