import redeliver from 'operation:deliveries.redeliver';
import { useCallback, useEffect, useState } from 'react';
import { type schemas, TesseraError } from '../../../sdk/src/index.ts';
import { ApiCallButton } from '../../forms/api-call/api-call-button.tsx';
import { useApi } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { DeliveryFilters, RedeliveryRun } from './redelivery.ts';
import { texts } from './texts.ts';

const { translate } = texts;
const COUNT_CHANGED = 'COUNT_CHANGED';

interface RedeliveryDialogProps {
  readonly filters: DeliveryFilters;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onStarted: (run: RedeliveryRun) => void;
}

/** Asks before deliveries are sent again, with their number. */
export function RedeliveryDialog({ isOpen, onClose, ...question }: RedeliveryDialogProps) {
  return (
    <Dialog title={translate('ask.title')} isOpen={isOpen} onClose={onClose}>
      <Question onClose={onClose} {...question} />
    </Dialog>
  );
}

/** How many deliveries would be sent again. */
interface Counted {
  /** The number that the server expects back. */
  readonly selected: number;
  readonly count: number;
  readonly paused: number;
  /** The number that the user was asked about before; null the first time. */
  readonly before: number | null;
}

/** Counts the deliveries by a dry run; `counted` is null until the server has answered. */
function useCount(filters: DeliveryFilters) {
  const api = useApi();
  const [counted, setCounted] = useState<Counted | null>(null);
  const [error, setError] = useState<string | null>(null);
  // The filters are a new object in each rendering.
  const text = JSON.stringify(filters);
  const countAgain = useCallback(
    async (before: number | null, signal?: AbortSignal) => {
      const request = { filters: JSON.parse(text), dry_run: true };
      try {
        const reply = await api.deliveries.redeliver(request, signal === undefined ? {} : { signal });
        setCounted({ ...toCounts(reply), before });
      } catch (cause) {
        if (signal?.aborted) return;
        if (!(cause instanceof TesseraError)) throw cause;
        setError(reasonOf(cause));
      }
    },
    [api, text],
  );
  useEffect(() => {
    const controller = new AbortController();
    void countAgain(null, controller.signal);
    return () => controller.abort();
  }, [countAgain]);
  return { counted, countAgain, error, setError };
}

function Question({ filters, onClose, onStarted }: Omit<RedeliveryDialogProps, 'isOpen'>) {
  const api = useApi();
  const invalidate = useInvalidate();
  const { counted, countAgain, error, setError } = useCount(filters);
  const [isPending, setPending] = useState(false);
  if (error !== null) return <Banner tone="warning">{error}</Banner>;
  if (counted === null) return <Skeleton count={2} />;
  const { selected, count, paused, before } = counted;
  const request = { filters, expected_count: selected };
  const send = async () => {
    if (isPending) return;
    setPending(true);
    try {
      await api.deliveries.redeliver(request);
      onStarted({ id: Date.now(), filters, count });
      onClose();
      await invalidate('deliveries');
    } catch (cause) {
      if (!(cause instanceof TesseraError)) throw cause;
      if (cause.code === COUNT_CHANGED) await countAgain(count);
      else setError(reasonOf(cause));
    } finally {
      setPending(false);
    }
  };
  return (
    <DialogForm
      text={count === 0 ? translate('ask.none') : translate('ask.text', { count })}
      onSubmit={() => {
        if (count > 0) void send();
      }}
      actions={
        <>
          <ApiCallButton operation={redeliver} body={request} />
          <Button onPress={onClose}>{translate('ask.cancel')}</Button>
          <Button type="submit" variant="primary" isPending={isPending} isDisabled={count === 0}>
            {translate('ask.action', { count })}
          </Button>
        </>
      }
    >
      {before === null || before === count ? null : (
        <Banner tone="warning" isLive>
          {translate('ask.changed', { before, count })}
        </Banner>
      )}
      {paused === 0 ? null : <Banner tone="neutral">{translate('ask.paused', { count: paused })}</Banner>}
    </DialogForm>
  );
}

/** Returns how many of the selected deliveries are sent again, and how many stay because their webhooks are paused. */
function toCounts({ count: selected, skipped }: schemas.RedeliveryReply): Omit<Counted, 'before'> {
  const left = skipped.reduce((sum, { count }) => sum + count, 0);
  const paused = skipped.find(({ reason }) => reason === 'PAUSED')?.count ?? 0;
  return { selected, count: selected - left, paused };
}

/** Returns why the server refuses, in its words. */
function reasonOf({ message, issues }: TesseraError): string {
  return issues[0]?.message ?? message;
}
