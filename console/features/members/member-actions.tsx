import remove from 'operation:memberships.delete';
import { useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { ApiCallButton } from '../../forms/api-call/api-call-button.tsx';
import { useAction } from '../../forms/use-action.ts';
import { useApi, useMembership } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toasts } from '../../ui/toasts.tsx';
import classes from './member-actions.module.css';
import { ResendButton } from './resend-button.tsx';
import { isInvited } from './status.ts';
import { texts } from './texts.ts';

const { translate } = texts;

interface MemberActionsProps {
  readonly member: schemas.Membership;
  readonly onRemoved: () => void;
}

/** Sends an invitation again, deactivates, and removes. */
export function MemberActions({ member, onRemoved }: MemberActionsProps) {
  return (
    <div className={classes.actions}>
      {isInvited(member) ? <ResendButton member={member} /> : <ActiveButton member={member} />}
      <RemoveButton member={member} onRemoved={onRemoved} />
    </div>
  );
}

function ActiveButton({ member: { membership_id, name, status } }: Pick<MemberActionsProps, 'member'>) {
  const api = useApi();
  const invalidate = useInvalidate();
  const isActive = status === 'active';
  const set = async (next: schemas.Membership['status']) => {
    await api.memberships.patch(membership_id, { status: next });
    await invalidate('members');
  };
  const { run, isPending } = useAction(async () => {
    await set(isActive ? 'inactive' : 'active');
    toasts.add({
      title: translate(isActive ? 'member.deactivated' : 'member.activated', { name }),
      undo: () => set(status),
    });
  });
  return (
    <Button icon={isActive ? 'lock' : 'check'} onPress={run} isPending={isPending}>
      {translate(isActive ? 'member.deactivate' : 'member.activate')}
    </Button>
  );
}

function RemoveButton({ member, onRemoved }: MemberActionsProps) {
  const { membership_id, name, email } = member;
  const isOpen = isInvited(member);
  const api = useApi();
  const invalidate = useInvalidate();
  const { tenant_name: tenant } = useMembership();
  const [isAsking, setAsking] = useState(false);
  const { run, isPending } = useAction(async () => {
    await api.memberships.delete(membership_id);
    await invalidate('members');
    toasts.add({ title: translate(isOpen ? 'member.withdrawn' : 'member.removed', { name, email }) });
    onRemoved();
  });
  return (
    <>
      <Button variant="quiet-danger" icon="trash" onPress={() => setAsking(true)}>
        {translate(isOpen ? 'member.withdraw' : 'member.remove', { tenant })}
      </Button>
      <ConfirmDialog
        title={translate(isOpen ? 'withdraw.title' : 'remove.title', { name })}
        action={translate(isOpen ? 'member.withdraw' : 'remove.action')}
        isOpen={isAsking}
        isPending={isPending}
        secondary={<ApiCallButton operation={remove} path={[membership_id]} />}
        onConfirm={run}
        onClose={() => setAsking(false)}
      >
        {translate(isOpen ? 'withdraw.text' : 'remove.text', { tenant, email })}
      </ConfirmDialog>
    </>
  );
}
