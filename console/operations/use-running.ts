import { useEffect, useRef, useState } from 'react';
import { useOverview } from '../overview/use-overview.ts';
import { useApi, useMembership } from '../session/session-context.tsx';
import { useInvalidate, useTenantQuery } from '../session/use-tenant-query.ts';
import { toasts } from '../ui/toasts.tsx';
import { isRunning, type Operation, operationName } from './operation-name.ts';
import { operationTexts } from './texts.ts';

/** Time between two readings while something runs, in ms. */
const POLL_MS = 5_000;

/**
 * Returns the operations that run now. They are read once the overview, which the bell reads, has some, and again while
 * some run and the page is visible. The end of an own operation is a toast.
 */
export function useRunning(): readonly Operation[] {
  const overview = useOverview(false);
  const [isNeeded, setNeeded] = useState(false);
  if (!isNeeded && (overview.data?.running.length ?? 0) > 0) setNeeded(true);
  const { data } = useTenantQuery(
    ['operations', 'running'],
    async (api, options) => (await api.longOperations.running(options)).results,
    { isNeeded, pollMs: (running) => running.length > 0 && POLL_MS },
  );
  useEnds(data);
  return data ?? [];
}

/** Shows a toast for each own operation that was running and no longer is. */
function useEnds(running: readonly Operation[] | undefined): void {
  const api = useApi();
  const invalidate = useInvalidate();
  const { membership_id } = useMembership();
  const before = useRef<readonly Operation[]>([]);
  const report = useRef(async (_ended: readonly Operation[]) => {});
  report.current = async (ended) => {
    for (const { id } of ended) {
      const operation = await api.longOperations.get(id);
      if (isRunning(operation)) continue;
      toasts.add({
        title: endText(operation),
        tone: operation.status === 'failed' ? 'danger' : 'success',
      });
    }
    await invalidate('operations');
  };
  useEffect(() => {
    if (running === undefined) return;
    const left = new Set(running.map(({ id }) => id));
    const ended = before.current.filter(({ id }) => !left.has(id));
    before.current = running;
    const own = ended.filter(({ started_by }) => started_by.membership_id === membership_id);
    // An operation that cannot be read has no toast; its screen says why.
    if (ended.length > 0) void report.current(own).catch(() => {});
  }, [running, membership_id]);
}

function endText(operation: Pick<Operation, 'kind' | 'title' | 'status'>): string {
  const { status } = operation;
  const values = { name: operationName(operation) };
  if (status === 'failed' || status === 'cancelled')
    return operationTexts.translate(`ended.${status}`, values);
  return operationTexts.translate('ended.completed', values);
}
