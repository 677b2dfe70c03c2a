import update from 'operation:memberships.update';
import { useNavigate } from '@tanstack/react-router';
import { type schemas, TesseraError } from '../../../sdk/src/index.ts';
import { OperationForm } from '../../forms/operation-form.tsx';
import { useEditForm } from '../../forms/use-edit-form.ts';
import { useApi } from '../../session/session-context.tsx';
import { useInvalidate, useTenantQuery } from '../../session/use-tenant-query.ts';
import { LoadFailure } from '../../shell/load-failure.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { Drawer } from '../../ui/drawer.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { AccessFields } from './access-fields.tsx';
import { memberRoute, membersRoute } from './index.ts';
import { invitationFacts } from './invitation-times.tsx';
import { LastSeen } from './last-seen.tsx';
import classes from './member.module.css';
import { MemberActions } from './member-actions.tsx';
import { MemberStatusBadge } from './status-badge.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

/** One member, in a drawer over the list: the roles, and what else can be done. */
export function Member() {
  const { membershipId } = memberRoute.useParams();
  const navigate = useNavigate();
  const close = () => void navigate({ from: memberRoute.fullPath, to: membersRoute.to, search: true });
  const query = useTenantQuery(['members', membershipId], (api, options) =>
    api.memberships.get(membershipId, options),
  );
  const { data: member, error } = query;
  const isMissing = error instanceof TesseraError && error.status === 404;
  return (
    <Drawer
      title={member?.name ?? (isMissing ? translate('missing.title') : translate('member'))}
      description={member?.email}
      status={member ? <MemberStatusBadge member={member} /> : undefined}
      isOpen
      onClose={close}
    >
      {query.isPending ? <Skeleton count={4} /> : null}
      {isMissing ? <EmptyState title={translate('missing.text')} /> : null}
      {error !== null && !isMissing ? (
        <LoadFailure error={error} onRetry={() => void query.refetch()} isRetrying={query.isFetching} />
      ) : null}
      {member ? <MemberForm key={member.membership_id} member={member} onDone={close} /> : null}
    </Drawer>
  );
}

function MemberForm({
  member,
  onDone,
}: {
  readonly member: schemas.Membership;
  readonly onDone: () => void;
}) {
  const { membership_id, name, is_tenant_admin, grants } = member;
  const api = useApi();
  const invalidate = useInvalidate();
  const form = useEditForm({
    operation: update,
    path: [membership_id],
    saved: { is_tenant_admin, grants: grants.map(({ bu_id, role }) => ({ bu_id, role })) },
    call: (body: schemas.MembershipUpdate) => api.memberships.update(membership_id, body),
    onDone: async () => {
      await invalidate('members');
      toasts.add({ title: translate('member.saved', { name }) });
      onDone();
    },
  });
  return (
    <>
      <div className={classes.facts}>
        <DescriptionList
          items={[
            ...invitationFacts(member),
            { term: translate('column.seen'), value: <LastSeen member={member} /> },
          ]}
        />
      </div>
      <OperationForm form={form} action={translate('member.save')}>
        <AccessFields form={form} />
      </OperationForm>
      <MemberActions member={member} onRemoved={onDone} />
    </>
  );
}
