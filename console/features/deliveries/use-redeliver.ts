import redeliver from 'operation:deliveries.redeliver';
import type { schemas } from '../../../sdk/src/index.ts';
import { useAccessReason } from '../../forms/use-access-reason.ts';
import { type Action, useAction } from '../../forms/use-action.ts';
import { useApi } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { toasts } from '../../ui/toasts.tsx';
import { texts } from './texts.ts';

/** Sends one delivery again: at once if it waits, otherwise with new attempts. */
export function useRedeliver({ id }: Pick<schemas.Delivery, 'id'>): Action {
  const api = useApi();
  const invalidate = useInvalidate();
  return useAction(async () => {
    await api.deliveries.redeliver({ filters: { id: { eq: id } }, expected_count: 1 });
    await invalidate('deliveries');
    toasts.add({ title: texts.translate('redelivered') });
  });
}

/** Returns why the user may not send deliveries again; undefined if they may. */
export function useRedeliverReason(): string | undefined {
  return useAccessReason(redeliver);
}
