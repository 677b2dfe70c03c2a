import { webhooksListDeliveries } from '../../../sdk/src/generated/lists.ts';
import type { schemas } from '../../../sdk/src/index.ts';
import { useAction } from '../../forms/use-action.ts';
import { useApi } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { useTenantPath } from '../../shell/tenant-path.ts';
import type { TableColumn } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { useTable } from '../../table/use-table.ts';
import { useTableSearch } from '../../table/use-table-search.ts';
import { useTenantPages } from '../../table/use-tenant-pages.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Num } from '../../ui/num.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { DeliveryStatus } from './status.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

/** The deliveries of a webhook, with what became of each. */
export function Deliveries({ webhookId }: { readonly webhookId: string }) {
  const pathOf = useTenantPath();
  const table = useTable({ facts: webhooksListDeliveries, columns: columns(), ...useTableSearch() });
  const pages = useTenantPages(
    ['webhooks', webhookId, 'deliveries', ...table.key],
    (api, { after, limit, hasTotal }, options) =>
      api.webhooks.listDeliveries(
        webhookId,
        { limit, sort: table.sort, after, ...(hasTotal ? {} : { count: 'false' }) },
        options,
      ),
    { isRunning: ({ status }) => status === 'pending' },
  );
  return (
    <DataTable
      label={translate('deliveries')}
      screen="connections/webhooks/deliveries"
      isOfRecord
      table={table}
      pages={pages}
      countText={(count) => translate('deliveries.count', { count })}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => pathOf(`connections/deliveries/${id}`)}
      actionsOf={(delivery) => <RedeliverButton webhookId={webhookId} delivery={delivery} />}
      empty={<EmptyState title={translate('deliveries.empty')} />}
    />
  );
}

interface RedeliverButtonProps {
  readonly webhookId: string;
  readonly delivery: schemas.WebhookDelivery;
}

/** Sends the submission again: at once if it waits, otherwise with new attempts. */
function RedeliverButton({ webhookId, delivery: { id } }: RedeliverButtonProps) {
  const api = useApi();
  const invalidate = useInvalidate();
  const { run, isPending } = useAction(async () => {
    await api.webhooks.redeliver(webhookId, id);
    await invalidate('webhooks', webhookId);
    toasts.add({ title: translate('redelivered') });
  });
  return (
    <Button size="small" variant="quiet" onPress={run} isPending={isPending}>
      {translate('redeliver')}
    </Button>
  );
}

function columns(): TableColumn<schemas.WebhookDelivery>[] {
  return [
    {
      id: 'created',
      title: translate('delivery.created'),
      sort: 'created_at',
      width: 140,
      cell: ({ created_at }) => <RelativeTime value={created_at} />,
    },
    {
      id: 'status',
      title: translate('delivery.status'),
      width: 120,
      cell: ({ status }) => <DeliveryStatus status={status} />,
    },
    { id: 'answer', title: translate('delivery.answer'), width: 260, cell: answerOf },
    {
      id: 'attempts',
      title: translate('delivery.attempts'),
      width: 90,
      cell: ({ attempts }) => <Num value={attempts} />,
    },
    {
      id: 'next',
      title: translate('delivery.next'),
      width: 140,
      cell: ({ next_attempt_at: next }) => (next === null ? null : <RelativeTime value={next} />),
    },
    {
      id: 'submission',
      title: translate('delivery.submission'),
      width: 290,
      isOptional: true,
      cell: ({ submission_id }) => <code>{submission_id}</code>,
    },
  ];
}

/** Returns what the receiver answered last, or why it did not. */
function answerOf({ last_status_code: code, last_error: error }: schemas.WebhookDelivery): string | null {
  if (error !== null) return error;
  return code === null ? null : translate('delivery.code', { code });
}
