import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { formTexts } from './texts.ts';

const { translate } = formTexts;

interface LeaveGuardProps {
  /** True if something would be lost. */
  readonly isChanged: () => boolean;
}

/** Asks before a link, Escape or a closed tab loses what was entered. */
export function LeaveGuard({ isChanged }: LeaveGuardProps) {
  const blocker = useBlocker({ shouldBlockFn: isChanged, enableBeforeUnload: isChanged, withResolver: true });
  return (
    <ConfirmDialog
      title={translate('leave.title')}
      action={translate('leave.discard')}
      cancel={translate('leave.stay')}
      isOpen={blocker.status === 'blocked'}
      isPending={false}
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      {translate('leave.text')}
    </ConfirmDialog>
  );
}
