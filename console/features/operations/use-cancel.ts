import { type Action, useAction } from '../../forms/use-action.ts';
import { type Operation, operationName } from '../../operations/operation-name.ts';
import { useApi } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { toasts } from '../../ui/toasts.tsx';
import { texts } from './texts.ts';

/** Cancels an operation. One that has ended meanwhile stays as it is, and the message says so. */
export function useCancel(operation: Pick<Operation, 'id' | 'kind' | 'title'>): Action {
  const api = useApi();
  const invalidate = useInvalidate();
  return useAction(async () => {
    const { status } = await api.longOperations.cancel(operation.id);
    toasts.add({
      title: texts.translate(status === 'cancelled' ? 'cancelled' : 'cancel.late', {
        name: operationName(operation),
      }),
    });
    await invalidate('operations');
  });
}
