import { useState } from 'react';
import { deliveriesList } from '../../../sdk/src/generated/lists.ts';
import type { schemas } from '../../../sdk/src/index.ts';
import type { FieldTitles } from '../../filters/field-titles.ts';
import { useTenantQuery } from '../../session/use-tenant-query.ts';
import { useTenantPath } from '../../shell/tenant-path.ts';
import type { TableColumn } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { PAGE_ROWS } from '../../table/use-pages.ts';
import { useTable } from '../../table/use-table.ts';
import { useTableSearch } from '../../table/use-table-search.ts';
import { useTenantPages } from '../../table/use-tenant-pages.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Num } from '../../ui/num.tsx';
import { Page } from '../../ui/page.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { lazyWhenIdle } from '../../ui/when-idle.tsx';
import { type DeliveryFilters, type RedeliveryRun, toRedelivery } from './redelivery.ts';
import { RedeliveryProgress } from './redelivery-progress.tsx';
import { answerOf, DeliveryStatus, webhookName } from './status.tsx';
import { texts } from './texts.ts';
import { useRedeliver, useRedeliverReason } from './use-redeliver.ts';

const { translate } = texts;
// After the rows: it is not needed before the button is pressed.
const RedeliveryDialog = lazyWhenIdle(async () => (await import('./redelivery-dialog.tsx')).RedeliveryDialog);

/** The deliveries of all webhooks that the user sees. */
export function Deliveries() {
  const [question, setQuestion] = useState<{ isOpen: boolean; filters: DeliveryFilters }>({
    isOpen: false,
    filters: {},
  });
  const ask = (asked: DeliveryFilters) => setQuestion({ isOpen: true, filters: asked });
  const [run, setRun] = useState<RedeliveryRun | null>(null);
  const pathOf = useTenantPath();
  const disabledReason = useRedeliverReason();
  const table = useTable({ facts: deliveriesList, columns: columns(), ...useTableSearch() });
  const filters = table.apiFilters<DeliveryFilters>();
  const pages = useTenantPages(
    ['deliveries', ...table.key],
    (api, { after, limit, hasTotal }, options) =>
      api.deliveries.list(
        {
          limit,
          sort: table.sort,
          filters,
          ...(after === undefined ? { page: 1 } : { after }),
          ...(hasTotal ? {} : { count: false }),
        },
        options,
      ),
    { isRunning: ({ status }) => status === 'pending' },
  );
  const hasStatus = table.conditions.some(({ field }) => field === 'status');
  return (
    <Page>
      <PageHeader
        title={translate('title')}
        description={translate('intro')}
        actions={
          <Button
            icon="refresh-cw"
            disabledReason={disabledReason}
            onPress={() => ask(toRedelivery(table.conditions, filters))}
          >
            {translate(hasStatus ? 'redeliver.matching' : 'redeliver.failed')}
          </Button>
        }
      />
      {run === null ? null : <RedeliveryProgress key={run.id} run={run} onDismiss={() => setRun(null)} />}
      <DataTable
        label={translate('title')}
        screen="connections/deliveries"
        table={table}
        pages={pages}
        countText={(count) => translate('count', { count })}
        fieldTitles={useFieldTitles()}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => pathOf(`connections/deliveries/${id}`)}
        actionsOf={(delivery) => <RedeliverButton delivery={delivery} />}
        selectionActions={({ keys, isAll }) => (
          <Button
            size="small"
            icon="refresh-cw"
            disabledReason={disabledReason}
            onPress={() => ask(isAll ? filters : { id: { in: [...keys] } })}
          >
            {translate('redeliver.selected')}
          </Button>
        )}
        empty={
          <EmptyState
            title={translate('empty')}
            action={
              <LinkButton href={pathOf('connections/webhooks')}>{translate('empty.webhooks')}</LinkButton>
            }
          />
        }
      />
      <RedeliveryDialog
        {...question}
        onClose={() => setQuestion({ ...question, isOpen: false })}
        onStarted={setRun}
      />
    </Page>
  );
}

/** Names of the fields in filters, with the webhooks of forms as a choice. */
function useFieldTitles(): FieldTitles {
  const { data } = useTenantQuery(['webhooks', 'names'], (api, options) =>
    api.webhooks.list({ limit: PAGE_ROWS, sort: 'name', count: 'false' }, options),
  );
  const names = (data?.results ?? []).map(({ id, name }) => [id, name] as const);
  return {
    id: { title: translate('field.id') },
    kind: {
      title: translate('field.kind'),
      values: {
        form: translate('kind.form'),
        email_event: translate('kind.email_event'),
        record: translate('kind.record'),
      },
    },
    webhook_id: { title: translate('field.webhook'), values: Object.fromEntries(names) },
    status: {
      title: translate('field.status'),
      values: {
        pending: translate('status.pending'),
        success: translate('status.success'),
        failed: translate('status.failed'),
      },
    },
    status_code: { title: translate('field.status-code') },
    created_at: { title: translate('field.created') },
  };
}

function RedeliverButton({ delivery }: { readonly delivery: schemas.Delivery }) {
  const { run, isPending } = useRedeliver(delivery);
  const disabledReason = useRedeliverReason();
  return (
    <Button size="small" variant="quiet" onPress={run} isPending={isPending} disabledReason={disabledReason}>
      {translate('redeliver')}
    </Button>
  );
}

function columns(): TableColumn<schemas.Delivery>[] {
  return [
    { id: 'webhook', title: translate('field.webhook'), width: 180, cell: webhookName },
    {
      id: 'status',
      title: translate('field.status'),
      width: 120,
      cell: ({ status }) => <DeliveryStatus status={status} />,
    },
    { id: 'answer', title: translate('column.answer'), width: 260, cell: answerOf },
    {
      id: 'attempts',
      title: translate('column.attempts'),
      width: 90,
      isNumber: true,
      cell: ({ attempt_count }) => <Num value={attempt_count} />,
    },
    {
      id: 'created',
      title: translate('field.created'),
      sort: 'created_at',
      width: 130,
      cell: ({ created_at }) => <RelativeTime value={created_at} />,
    },
    {
      id: 'next',
      title: translate('column.next'),
      width: 130,
      cell: ({ next_attempt_at: next }) => (next === null ? null : <RelativeTime value={next} />),
    },
    {
      id: 'kind',
      title: translate('field.kind'),
      width: 130,
      isOptional: true,
      cell: ({ kind }) => translate(`kind.${kind}`),
    },
    {
      id: 'subject',
      title: translate('column.subject'),
      width: 290,
      isOptional: true,
      cell: ({ subject_id }) => <code>{subject_id}</code>,
    },
  ];
}
