import { useNavigate } from '@tanstack/react-router';
import { audiencesList } from '../../../sdk/src/generated/lists.ts';
import type { AudiencesListFilters } from '../../../sdk/src/generated/resources.ts';
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
import { NEW_AUDIENCE } from './audience-draft.ts';
import { AudienceState } from './audience-state.tsx';
import { audiencesRoute } from './index.ts';
import { texts } from './texts.ts';

const { translate } = texts;
// After the rows: the drawer needs the components of forms.
const CreateAudienceDrawer = lazyWhenIdle(
  async () => (await import('./create-audience.tsx')).CreateAudienceDrawer,
);

/** The audiences of the units that the user sees. */
export function Audiences() {
  const { new: isNew = false, ...closed } = audiencesRoute.useSearch();
  const navigate = useNavigate({ from: audiencesRoute.fullPath });
  const pathOf = useTenantPath();
  const table = useTable({ facts: audiencesList, columns: columns(), ...useTableSearch() });
  const { search, sort } = table;
  const filters = table.apiFilters<AudiencesListFilters>();
  const pages = useTenantPages(
    ['audiences', 'table', ...table.key],
    (api, { after, limit, hasTotal }, options) =>
      api.audiences.list(
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
    <LinkButton href={pathOf('subscribers/audiences', { new: true })} variant="primary" icon="plus">
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
            <DraftBadge {...NEW_AUDIENCE} />
            {createButton}
          </>
        }
      />
      <DataTable
        label={translate('title')}
        screen="subscribers/audiences"
        table={table}
        pages={pages}
        countText={(count) => translate('count', { count })}
        searchLabel={translate('search')}
        fieldTitles={{
          name: { title: translate('name') },
          created_at: { title: translate('created') },
        }}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => pathOf(`subscribers/audiences/${id}`)}
        empty={<EmptyState title={translate('empty')} action={createButton} />}
      />
      <CreateAudienceDrawer isOpen={isNew} onClose={() => void navigate({ search: closed })} />
    </Page>
  );
}

function columns(): TableColumn<schemas.Audience>[] {
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
      id: 'members',
      title: translate('members.choice'),
      width: 170,
      cell: (audience) => <AudienceState audience={audience} />,
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
