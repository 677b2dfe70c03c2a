import type { schemas } from '../../../sdk/src/index.ts';
import { useAction } from '../../forms/use-action.ts';
import { useApi } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { Button, type ButtonSize } from '../../ui/button.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

interface ResendButtonProps {
  readonly member: schemas.Membership;
  readonly size?: ButtonSize;
  readonly onSent?: () => void;
}

/** Sends an invitation again, with a new link. */
export function ResendButton({ member, size = 'medium', onSent }: ResendButtonProps) {
  const { membership_id, email } = member;
  const api = useApi();
  const invalidate = useInvalidate();
  const { run, isPending } = useAction(async () => {
    await api.memberships.resendInvitation(membership_id);
    await invalidate('members');
    toasts.add({ title: translate('member.resent', { email }) });
    onSent?.();
  });
  return (
    <Button icon="send" size={size} onPress={run} isPending={isPending}>
      {translate('member.resend')}
    </Button>
  );
}
