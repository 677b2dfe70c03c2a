import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { subscribersList } from '../../../sdk/src/generated/lists.ts';
import type { SubscribersListFilters } from '../../../sdk/src/generated/resources.ts';
import type { schemas } from '../../../sdk/src/index.ts';
import { BulkProgress } from '../../bulk-actions/bulk-progress.tsx';
import { DraftBadge } from '../../drafts/draft-badge.tsx';
import { subscriberFieldTitles } from '../../people/field-titles.ts';
import { fullName } from '../../people/full-name.ts';
import { listNames, useLists } from '../../people/use-lists.ts';
import { useTenantPath } from '../../shell/tenant-path.ts';
import type { TableColumn } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { useTable } from '../../table/use-table.ts';
import { useTableSearch } from '../../table/use-table-search.ts';
import { useTenantPages } from '../../table/use-tenant-pages.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Page } from '../../ui/page.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { lazyWhenIdle } from '../../ui/when-idle.tsx';
import type { BulkQuestion } from './bulk-question.ts';
import { subscribersRoute } from './index.ts';
import { SelectionActions } from './selection-actions.tsx';
import { SubscriberStatus } from './status.tsx';
import { NEW_SUBSCRIBER } from './subscriber-draft.ts';
import { texts } from './texts.ts';

const { translate } = texts;
// After the rows: the drawer needs the components of forms.
const BulkActionDialog = lazyWhenIdle(
  async () => (await import('./bulk-action-dialog.tsx')).BulkActionDialog,
);
const AddSubscriberDrawer = lazyWhenIdle(
  async () => (await import('./add-subscriber.tsx')).AddSubscriberDrawer,
);

/** The subscribers of the units that the user sees. */
export function Subscribers() {
  const { new: isNew = false, ...closed } = subscribersRoute.useSearch();
  const navigate = useNavigate({ from: subscribersRoute.fullPath });
  const pathOf = useTenantPath();
  const { data: lists = [] } = useLists();
  const table = useTable({ facts: subscribersList, columns: columns(lists), ...useTableSearch() });
  const { search, sort } = table;
  const filters = table.apiFilters<SubscribersListFilters>();
  const pages = useTenantPages(['subscribers', ...table.key], (api, { after, limit, hasTotal }, options) =>
    api.subscribers.list(
      {
        limit,
        sort,
        filters,
        ...(after === undefined ? { page: 1 } : { after }),
        ...(hasTotal ? {} : { count: false }),
        ...(search === '' ? {} : { search }),
      },
      options,
    ),
  );
  const [question, setQuestion] = useState<BulkQuestion | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [operationId, setOperationId] = useState<string | null>(null);
  const addButton = (
    <LinkButton href={pathOf('subscribers', { new: true })} variant="primary" icon="user-plus">
      {translate('add')}
    </LinkButton>
  );
  return (
    <Page>
      <PageHeader
        title={translate('title')}
        description={translate('intro')}
        actions={
          <>
            <DraftBadge {...NEW_SUBSCRIBER} />
            <LinkButton href={pathOf('subscribers/import')}>{translate('import')}</LinkButton>
            {addButton}
          </>
        }
      />
      {operationId === null ? null : (
        <BulkProgress
          key={operationId}
          operationId={operationId}
          records="subscribers"
          onDismiss={() => setOperationId(null)}
        />
      )}
      <DataTable
        label={translate('title')}
        screen="subscribers"
        table={table}
        pages={pages}
        countText={(count) => translate('count', { count })}
        searchLabel={translate('search')}
        fieldTitles={subscriberFieldTitles(lists)}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => pathOf(`subscribers/${id}`)}
        selectionActions={({ keys, isAll, clear }) => (
          <SelectionActions
            onAsk={(action) => {
              const all = { filters, ...(search === '' ? {} : { search }) };
              setQuestion({ action, selection: isAll ? all : { ids: [...keys] }, clear });
              setAsking(true);
            }}
          />
        )}
        empty={<EmptyState title={translate('empty')} action={addButton} />}
      />
      {question === null ? null : (
        <BulkActionDialog
          question={question}
          isOpen={isAsking}
          onClose={() => setAsking(false)}
          onStarted={(id) => {
            setOperationId(id);
            question.clear();
          }}
        />
      )}
      <AddSubscriberDrawer isOpen={isNew} onClose={() => void navigate({ search: closed })} />
    </Page>
  );
}

function columns(lists: readonly schemas.List[]): TableColumn<schemas.Subscriber>[] {
  return [
    { id: 'email', title: translate('email'), sort: 'email', width: 260, cell: ({ email }) => email },
    { id: 'name', title: translate('name'), width: 180, cell: fullName },
    {
      id: 'status',
      title: translate('column.status'),
      width: 130,
      cell: (subscriber) => <SubscriberStatus subscriber={subscriber} />,
    },
    {
      id: 'lists',
      title: translate('lists'),
      width: 220,
      cell: (subscriber) => listNames(subscriber.lists, lists) || null,
    },
    {
      id: 'created',
      title: translate('column.created'),
      sort: 'created_at',
      width: 130,
      cell: ({ created_at }) => <RelativeTime value={created_at} />,
    },
    {
      id: 'updated',
      title: translate('column.updated'),
      width: 130,
      isOptional: true,
      cell: ({ updated_at }) => <RelativeTime value={updated_at} />,
    },
  ];
}
