import { useNavigate } from '@tanstack/react-router';
import type { schemas } from '../../../sdk/src/index.ts';
import { SERVER_URL } from '../../base-path.ts';
import { DraftBadge } from '../../drafts/draft-badge.tsx';
import { useTenantQuery } from '../../session/use-tenant-query.ts';
import { OwnersOnly } from '../../shell/owners-only.tsx';
import { useTenantPath } from '../../shell/tenant-path.ts';
import { QueryTable } from '../../table/query-table.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import type { Column } from '../../ui/column.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { CreateKeyDrawer, NEW_KEY } from './create-key.tsx';
import { keysRoute } from './index.ts';
import { RevokeButton } from './revoke-button.tsx';
import { texts } from './texts.ts';

const { translate } = texts;
const PAGE_SIZE = 50;

/** The API keys of the tenant: only owners see them. */
export function Keys() {
  return (
    <OwnersOnly>
      <KeyList />
    </OwnersOnly>
  );
}

function KeyList() {
  const search = keysRoute.useSearch();
  const { page = 1, new: isNew = false, ...closed } = search;
  const navigate = useNavigate({ from: keysRoute.fullPath });
  const pathOf = useTenantPath();
  const query = useTenantQuery(['keys', { page }], (api, options) =>
    api.apiKeys.list({ page, limit: PAGE_SIZE }, options),
  );
  const names = useTenantQuery(['member-names'], (api, options) => api.members.names(options));
  const nameOf = (id: string) => names.data?.results.find((each) => each.membership_id === id)?.name ?? '';
  const open = () => void navigate({ search: { ...search, new: true } });
  const createButton = (
    <Button variant="primary" icon="plus" onPress={open}>
      {translate('create')}
    </Button>
  );
  return (
    <Page>
      <PageHeader
        title={translate('title')}
        description={translate('intro')}
        actions={
          <>
            <DraftBadge {...NEW_KEY} />
            {createButton}
          </>
        }
      />
      <QueryTable
        label={translate('title')}
        query={query}
        rowsOf={(data) => data.results}
        columns={columnsOf(nameOf)}
        keyOf={(key) => key.id}
        actionsOf={(key) => (key.revoked_at === null ? <RevokeButton apiKey={key} /> : null)}
        empty={
          <EmptyState
            title={translate('empty.text')}
            action={createButton}
            link={
              <TextLink href={`${SERVER_URL}/docs`} isExternal>
                {translate('empty.link')}
              </TextLink>
            }
          />
        }
      />
      <Pagination
        page={page}
        pages={query.data?.totalPages ?? 1}
        hrefOf={(each) => pathOf('connections/keys', { page: each })}
      />
      <CreateKeyDrawer
        isOpen={isNew}
        members={names.data?.results ?? []}
        onClose={() => void navigate({ search: { ...closed, page } })}
      />
    </Page>
  );
}

function columnsOf(nameOf: (membershipId: string) => string): Column<schemas.ApiKey>[] {
  return [
    { id: 'name', title: translate('column.name'), cell: (key) => key.name },
    { id: 'key', title: translate('column.key'), cell: (key) => <code>{key.prefix}…</code> },
    { id: 'member', title: translate('column.member'), cell: (key) => nameOf(key.membership_id) },
    {
      id: 'used',
      title: translate('column.used'),
      cell: (key) =>
        key.last_used_at === null ? translate('never') : <RelativeTime value={key.last_used_at} />,
    },
    {
      id: 'status',
      title: translate('column.status'),
      cell: (key) =>
        key.revoked_at === null ? (
          <Badge tone="success">{translate('status.active')}</Badge>
        ) : (
          <Badge>{translate('status.revoked')}</Badge>
        ),
    },
  ];
}
