import { useNavigate } from '@tanstack/react-router';
import { listsList } from '../../../sdk/src/generated/lists.ts';
import type { ListsListFilters } from '../../../sdk/src/generated/resources.ts';
import type { schemas } from '../../../sdk/src/index.ts';
import { DraftBadge } from '../../drafts/draft-badge.tsx';
import { useTenantPath } from '../../shell/tenant-path.ts';
import type { TableColumn } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { useTable } from '../../table/use-table.ts';
import { useTableSearch } from '../../table/use-table-search.ts';
import { useTenantPages } from '../../table/use-tenant-pages.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Num } from '../../ui/num.tsx';
import { Page } from '../../ui/page.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { lazyWhenIdle } from '../../ui/when-idle.tsx';
import { listsRoute } from './index.ts';
import { NEW_LIST } from './list-draft.ts';
import { texts } from './texts.ts';

const { translate } = texts;
// After the rows: the drawer needs the components of forms.
const CreateListDrawer = lazyWhenIdle(async () => (await import('./create-list.tsx')).CreateListDrawer);

/** The lists of the units that the user sees. */
export function Lists() {
  const { new: isNew = false, ...closed } = listsRoute.useSearch();
  const navigate = useNavigate({ from: listsRoute.fullPath });
  const pathOf = useTenantPath();
  const table = useTable({ facts: listsList, columns: columns(), ...useTableSearch() });
  const { search, sort } = table;
  const filters = table.apiFilters<ListsListFilters>();
  const pages = useTenantPages(['lists', 'table', ...table.key], (api, { after, limit, hasTotal }, options) =>
    api.lists.list(
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
  const createButton = (
    <LinkButton href={pathOf('subscribers/lists', { new: true })} variant="primary" icon="plus">
      {translate('create')}
    </LinkButton>
  );
  return (
    <Page>
      <PageHeader
        title={translate('title')}
        description={translate('intro')}
        actions={
          <>
            <DraftBadge {...NEW_LIST} />
            {createButton}
          </>
        }
      />
      <DataTable
        label={translate('title')}
        screen="subscribers/lists"
        table={table}
        pages={pages}
        countText={(count) => translate('count', { count })}
        searchLabel={translate('search')}
        fieldTitles={{
          name: { title: translate('name') },
          created_at: { title: translate('created') },
        }}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => pathOf(`subscribers/lists/${id}`)}
        empty={<EmptyState title={translate('empty')} action={createButton} />}
      />
      <CreateListDrawer isOpen={isNew} onClose={() => void navigate({ search: closed })} />
    </Page>
  );
}

function columns(): TableColumn<schemas.List>[] {
  return [
    { id: 'name', title: translate('name'), sort: 'name', width: 240, cell: ({ name }) => name },
    {
      id: 'subscribers',
      title: translate('subscribers'),
      width: 130,
      isNumber: true,
      cell: ({ subscriber_count: count }) => <Num value={count} />,
    },
    {
      id: 'description',
      title: translate('description'),
      width: 320,
      cell: ({ description }) => description,
    },
    {
      id: 'created',
      title: translate('created'),
      sort: 'created_at',
      width: 130,
      cell: ({ created_at }) => <RelativeTime value={created_at} />,
    },
    {
      id: 'updated',
      title: translate('updated'),
      sort: 'updated_at',
      width: 130,
      isOptional: true,
      cell: ({ updated_at }) => <RelativeTime value={updated_at} />,
    },
  ];
}
