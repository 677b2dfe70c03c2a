import { Outlet, useNavigate } from '@tanstack/react-router';
import { membershipsList } from '../../../sdk/src/generated/lists.ts';
import type { schemas } from '../../../sdk/src/index.ts';
import { DraftBadge } from '../../drafts/draft-badge.tsx';
import { useMembership, useSession } from '../../session/session-context.tsx';
import { OwnersOnly } from '../../shell/owners-only.tsx';
import { useTenantPath } from '../../shell/tenant-path.ts';
import type { TableColumn } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { useTable } from '../../table/use-table.ts';
import { useTableSearch } from '../../table/use-table-search.ts';
import { useTenantPages } from '../../table/use-tenant-pages.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { Page } from '../../ui/page.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PersonName } from '../../ui/person-name.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { lazyWhenIdle } from '../../ui/when-idle.tsx';
import { AccessSummary } from './access-summary.tsx';
import { membersRoute } from './index.ts';
import { MemberStatus } from './invitation-times.tsx';
import { LastSeen } from './last-seen.tsx';
import { NEW_MEMBER } from './new-member.ts';
import { texts } from './texts.ts';

const { translate } = texts;
// After the rows: the drawer needs the components of forms.
const InviteDrawer = lazyWhenIdle(async () => (await import('./invite.tsx')).InviteDrawer);

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
  const { invite = false, ...closed } = membersRoute.useSearch();
  const navigate = useNavigate({ from: membersRoute.fullPath });
  const pathOf = useTenantPath();
  const { tenant_name } = useMembership();
  const table = useTable({ facts: membershipsList, columns: columns(), ...useTableSearch() });
  const { search, sort } = table;
  const pages = useTenantPages(['members', ...table.key], (api, { after, limit, hasTotal }, options) =>
    api.memberships.list(
      {
        limit,
        sort,
        after,
        ...(hasTotal ? {} : { count: 'false' }),
        ...(search === '' ? {} : { search }),
      },
      options,
    ),
  );
  return (
    <Page>
      <PageHeader
        title={translate('title')}
        description={translate('intro', { tenant: tenant_name })}
        actions={
          <>
            <DraftBadge {...NEW_MEMBER} />
            <LinkButton
              href={pathOf('settings/members', { invite: true })}
              variant="primary"
              icon="user-plus"
            >
              {translate('invite')}
            </LinkButton>
          </>
        }
      />
      <DataTable
        label={translate('title')}
        screen="settings/members"
        table={table}
        pages={pages}
        countText={(count) => translate('count', { count })}
        searchLabel={translate('search')}
        keyOf={(member) => member.membership_id}
        hrefOf={(member) => pathOf(`settings/members/${member.membership_id}`)}
        empty={null}
      />
      <InviteDrawer isOpen={invite} onClose={() => void navigate({ search: closed })} />
    </Page>
  );
}

function columns(): TableColumn<schemas.Membership>[] {
  return [
    {
      id: 'name',
      title: translate('column.name'),
      width: 180,
      cell: (member) => <Name member={member} />,
    },
    { id: 'email', title: translate('column.email'), width: 200, cell: ({ email }) => email },
    {
      id: 'access',
      title: translate('column.access'),
      width: 160,
      cell: (member) => <AccessSummary member={member} />,
    },
    {
      id: 'status',
      title: translate('column.status'),
      width: 300,
      cell: (member) => <MemberStatus member={member} />,
    },
    {
      id: 'seen',
      title: translate('column.seen'),
      width: 110,
      cell: (member) => <LastSeen member={member} />,
    },
    {
      id: 'created',
      title: translate('column.created'),
      sort: 'created_at',
      width: 110,
      cell: ({ created_at }) => <RelativeTime value={created_at} />,
    },
  ];
}

function Name({ member }: { readonly member: schemas.Membership }) {
  const { user } = useSession();
  const note = member.user_id === user.id ? translate('you') : undefined;
  return <PersonName name={member.name} note={note} />;
}
