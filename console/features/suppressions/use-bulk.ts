import bulk from 'operation:suppressions.bulk';
import type { CallOptions, schemas } from '../../../sdk/src/index.ts';
import type { Operation } from '../../forms/operation.ts';
import { useAccessReason } from '../../forms/use-access-reason.ts';
import { useApi } from '../../session/session-context.tsx';

/** The bulk action of suppressions. */
interface Bulk {
  readonly operation: Operation;
  /** Reason for which the user may not run it; undefined if they may. */
  readonly disabledReason: string | undefined;
  readonly call: (
    request: schemas.SuppressionBulkAction,
    options?: CallOptions,
  ) => Promise<schemas.BulkReply>;
}

/** Returns the bulk action of the tenant of the URL. */
export function useBulk(): Bulk {
  const api = useApi();
  return {
    operation: bulk,
    disabledReason: useAccessReason(bulk),
    call: (request, options) => api.suppressions.bulk(request, options),
  };
}
