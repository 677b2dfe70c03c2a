import { useTenantPath } from '../shell/tenant-path.ts';
import { activityFilter } from './activity-filter.ts';
import type { RecordKey } from './restore-request.ts';

/** Returns a function that makes the path of the activity of one record. */
export function useActivityPath(): (key: RecordKey) => string {
  const pathOf = useTenantPath();
  return (key) => pathOf('activity', { filter: activityFilter(key) });
}
