import { Outlet, useNavigate } from '@tanstack/react-router';
import type { schemas } from '../../../sdk/src/index.ts';
import { SearchBox } from '../../filters/search-box.tsx';
import { useMembership, useSession } from '../../session/session-context.tsx';
import { useTenantQuery } from '../../session/use-tenant-query.ts';
import { OwnersOnly } from '../../shell/owners-only.tsx';
import { useTenantPath } from '../../shell/tenant-path.ts';
import { QueryTable } from '../../table/query-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Page } from '../../ui/page.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Person } from '../../ui/person.tsx';
import type { Column } from '../../ui/simple-table.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { AccessSummary } from './access-summary.tsx';
import { membersRoute } from './index.ts';
import { InviteDrawer } from './invite.tsx';
import { LastSeen } from './last-seen.tsx';
import { MemberStatusBadge } from './status-badge.tsx';
import { texts } from './texts.ts';

const { translate } = texts;
const PAGE_SIZE = 50;

/** The members of the tenant: only owners see them. */
export function Members() {
  return (
    <OwnersOnly>
      <MemberList />
      <Outlet />
    </OwnersOnly>
  );
}

function MemberList() {
  const { search = '', page = 1, invite = false, ...others } = membersRoute.useSearch();
  const navigate = useNavigate({ from: membersRoute.fullPath });
  const pathOf = useTenantPath();
  const { tenant_name } = useMembership();
  const members = useTenantQuery(['members', { search, page }], (api, options) =>
    api.memberships.list({ page, limit: PAGE_SIZE, ...(search === '' ? {} : { search }) }, options),
  );
  const find = (text: string) =>
    void navigate({ search: text === '' ? {} : { search: text }, replace: true });
  const closeInvitation = () => void navigate({ search: { ...others, search, page } });
  return (
    <Page>
      <PageHeader
        title={translate('title')}
        description={translate('intro', { tenant: tenant_name })}
        actions={
          <LinkButton href={pathOf('settings/members', { invite: true })} variant="primary" icon="user-plus">
            {translate('invite')}
          </LinkButton>
        }
      />
      <SearchBox label={translate('search')} value={search} onSearch={find} />
      <QueryTable
        label={translate('title')}
        query={members}
        rowsOf={(data) => data.results}
        columns={columns()}
        keyOf={(member) => member.membership_id}
        hrefOf={(member) => pathOf(`settings/members/${member.membership_id}`)}
        empty={
          <EmptyState
            title={translate('none.title', { query: search })}
            link={<TextLink href={pathOf('settings/members')}>{translate('none.clear')}</TextLink>}
          />
        }
      />
      <Pagination
        page={page}
        pages={members.data?.totalPages ?? 1}
        hrefOf={(each) => pathOf('settings/members', { page: each })}
      />
      <InviteDrawer isOpen={invite} onClose={closeInvitation} />
    </Page>
  );
}

function columns(): Column<schemas.Membership>[] {
  return [
    { id: 'name', title: translate('column.name'), cell: (member) => <Name member={member} /> },
    { id: 'access', title: translate('column.access'), cell: (member) => <AccessSummary member={member} /> },
    {
      id: 'status',
      title: translate('column.status'),
      cell: (member) => <MemberStatusBadge member={member} />,
    },
    { id: 'seen', title: translate('column.seen'), cell: (member) => <LastSeen member={member} /> },
  ];
}

function Name({ member }: { readonly member: schemas.Membership }) {
  const { user } = useSession();
  const note = member.user_id === user.id ? translate('you') : undefined;
  return <Person name={member.name} email={member.email} note={note} />;
}
