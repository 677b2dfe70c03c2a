import { useNavigate } from '@tanstack/react-router';
import type { schemas } from '../../../sdk/src/index.ts';
import { SearchBox } from '../../filters/search-box.tsx';
import { actorName } from '../../history/actor-name.ts';
import { RestoreButton } from '../../history/restore-button.tsx';
import { kindTitle } from '../../kinds/kind-title.ts';
import { KINDS, type Kind, readKind } from '../../kinds/kinds.ts';
import { useSession } from '../../session/session-context.tsx';
import { useTenantQuery } from '../../session/use-tenant-query.ts';
import { useRecordHistoryPath } from '../../shell/record-path.ts';
import { useTenantPath } from '../../shell/tenant-path.ts';
import { QueryTable } from '../../table/query-table.tsx';
import { UnitNotice } from '../../table/unit-notice.tsx';
import type { Column } from '../../ui/column.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Page } from '../../ui/page.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Select } from '../../ui/select.tsx';
import classes from './bin.module.css';
import { binRoute } from './index.ts';
import { texts } from './texts.ts';

const { translate } = texts;
const PAGE_SIZE = 50;
const ALL = 'all';

/** The deleted records that the user may see, newest first. */
export function Bin() {
  const { page = 1, search = '', ...parameters } = binRoute.useSearch();
  const kind = readKind(parameters.kind);
  const navigate = useNavigate({ from: binRoute.fullPath });
  const pathOf = useTenantPath();
  const { user } = useSession();
  const historyPath = useRecordHistoryPath();
  const query = useTenantQuery(['bin', { page, search, kind }], (api, options) =>
    api.deletedRecords.search(
      {
        page,
        limit: PAGE_SIZE,
        ...(search === '' ? {} : { search }),
        ...(kind === null ? {} : { filters: { entity_type: { eq: kind } } }),
      },
      options,
    ),
  );
  // Another search or kind begins with the first page.
  const show = (next: { readonly search: string; readonly kind: Kind | null }) =>
    void navigate({ search: limitsOf(next), replace: true });
  const isLimited = search !== '' || kind !== null;
  return (
    <Page>
      <PageHeader title={translate('title')} description={translate('intro')} />
      <div className={classes.toolbar}>
        <div className={classes.search}>
          <SearchBox
            label={translate('search')}
            value={search}
            onSearch={(text) => show({ search: text, kind })}
          />
        </div>
        <div className={classes.kind}>
          <Select
            label={translate('kind')}
            isLabelHidden
            value={kind ?? ALL}
            onChange={(next) => show({ search, kind: next === ALL ? null : next })}
            options={[
              { id: ALL, title: translate('kind.all') },
              ...KINDS.map((id) => ({ id, title: kindTitle(id) })),
            ]}
          />
        </div>
        <span className={classes.count} role="status">
          {query.data === undefined ? '' : translate('count', { count: query.data.total })}
        </span>
      </div>
      <UnitNotice />
      <QueryTable
        label={translate('title')}
        query={query}
        rowsOf={({ results }) => results}
        columns={columnsOf(user.id)}
        hrefOf={({ entity_type, key }) => historyPath(entity_type, key)}
        keyOf={({ entity_type, key }) => `${entity_type} ${key}`}
        actionsOf={(item) => (
          <RestoreButton
            item={item}
            size="small"
            variant="quiet"
            refusal={item.is_restorable ? undefined : translate('restore.never')}
          />
        )}
        empty={
          page === 1 ? (
            <EmptyState title={translate(isLimited ? 'no-match' : 'empty')} />
          ) : (
            <EmptyState
              title={translate('page.gone')}
              action={
                <LinkButton href={pathOf('bin', limitsOf({ search, kind }))}>
                  {translate('page.first')}
                </LinkButton>
              }
            />
          )
        }
      />
      <Pagination
        page={page}
        pages={query.data?.totalPages ?? 1}
        hrefOf={(each) => pathOf('bin', { ...limitsOf({ search, kind }), page: each })}
      />
    </Page>
  );
}

/** Returns the query parameters of a search and a kind. */
function limitsOf({ search, kind }: { readonly search: string; readonly kind: Kind | null }) {
  return { ...(search === '' ? {} : { search }), ...(kind === null ? {} : { kind }) };
}

function columnsOf(userId: string): Column<schemas.DeletedItem>[] {
  return [
    { id: 'title', title: translate('column.title'), cell: ({ title }) => title },
    {
      id: 'kind',
      title: translate('column.kind'),
      cell: ({ entity_type }) => kindTitle(entity_type),
    },
    {
      id: 'deleted',
      title: translate('column.deleted'),
      cell: ({ deleted_at }) => <RelativeTime value={deleted_at} />,
    },
    { id: 'actor', title: translate('column.actor'), cell: ({ actor }) => actorName(actor, userId) },
  ];
}
