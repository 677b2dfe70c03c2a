import restore from 'operation:deleted_records.restore';
import { useAccessReason } from '../forms/use-access-reason.ts';

/** Returns why the user may not restore records in the tenant and unit of the URL; undefined if they may. */
export function useRestoreReason(): string | undefined {
  return useAccessReason(restore);
}
