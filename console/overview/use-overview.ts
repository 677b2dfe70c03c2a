import { OVERVIEW_KEY, useTenantQuery } from '../session/use-tenant-query.ts';

/** Time between two readings while the page is visible, in ms. A hidden page does not read. */
const POLL_MS = 60_000;

/** Reads the overview once a minute. All callers share its data. */
export function useOverview(isNeeded = true) {
  return useTenantQuery(OVERVIEW_KEY, (api, options) => api.overview.get(options), {
    isNeeded,
    pollMs: () => POLL_MS,
  });
}
