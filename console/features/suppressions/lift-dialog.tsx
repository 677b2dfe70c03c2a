import remove from 'operation:suppressions.delete';
import type { schemas } from '../../../sdk/src/index.ts';
import { ApiCallButton } from '../../forms/api-call/api-call-button.tsx';
import { useAction } from '../../forms/use-action.ts';
import { useApi } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { isErased, recipientTitle } from './suppression-types.ts';
import { texts } from './texts.ts';

const { translate } = texts;

interface LiftDialogProps {
  readonly suppression: schemas.Suppression;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks before a suppression is lifted, and says what that means for its cause. */
export function LiftDialog({ suppression, isOpen, onClose }: LiftDialogProps) {
  const { recipient, type, description } = suppression;
  const api = useApi();
  const invalidate = useInvalidate();
  const address = recipientTitle(suppression);
  const suppressAgain = async () => {
    await api.suppressions.create({ recipient, type, description });
    await invalidate('suppressions');
  };
  const { run, isPending } = useAction(async () => {
    await api.suppressions.delete(recipient);
    await invalidate('suppressions');
    onClose();
    toasts.add({
      title: translate('lifted', { address }),
      // Without its address, an erased recipient cannot be suppressed again.
      ...(isErased(suppression) ? {} : { undo: suppressAgain }),
    });
  });
  return (
    <ConfirmDialog
      title={translate('lift.title', { address })}
      action={translate('lift.action')}
      isOpen={isOpen}
      isPending={isPending}
      secondary={<ApiCallButton operation={remove} path={[recipient]} />}
      onConfirm={run}
      onClose={onClose}
    >
      {translate(`lift.text.${type}`)} {isErased(suppression) ? translate('lift.erased') : null}
    </ConfirmDialog>
  );
}
