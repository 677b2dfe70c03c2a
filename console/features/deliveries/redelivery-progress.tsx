import { useEffect, useRef } from 'react';
import { useInvalidate, useTenantQuery } from '../../session/use-tenant-query.ts';
import { Banner } from '../../ui/banner.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { type RedeliveryRun, withStatus } from './redelivery.ts';
import { texts } from './texts.ts';

const { translate } = texts;

/** Time between two counts of the deliveries that are left, in ms. */
const POLL_MS = 2_000;

interface RedeliveryProgressProps {
  readonly run: RedeliveryRun;
  readonly onDismiss: () => void;
}

/** Shows how many of the deliveries that are sent again still wait, until none is left. */
export function RedeliveryProgress({ run: { id, filters, count }, onDismiss }: RedeliveryProgressProps) {
  const invalidate = useInvalidate();
  const { data: left } = useTenantQuery(
    ['redelivery', id],
    async (api, options) => {
      const pending = { page: 1, limit: 1, filters: withStatus(filters, 'pending') };
      return (await api.deliveries.list(pending, options)).total ?? 0;
    },
    { pollMs: (waiting) => (waiting === 0 ? false : POLL_MS) },
  );
  const isDone = left === 0;
  const reload = useRef(() => invalidate('deliveries'));
  useEffect(() => {
    if (isDone) void reload.current();
  }, [isDone]);
  if (isDone)
    return (
      <Banner tone="success" isLive onDismiss={onDismiss}>
        {translate('progress.done', { count })}
      </Banner>
    );
  const sent = Math.max(0, count - (left ?? count));
  return (
    <Banner onDismiss={onDismiss}>
      <ProgressBar
        label={translate('progress', { count })}
        value={sent}
        maxValue={count}
        valueText={translate('progress.left', { left: left ?? count })}
      />
    </Banner>
  );
}
