import type { schemas } from '../../../sdk/src/index.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { nameOf } from './subscription-types.ts';
import { texts } from './texts.ts';

const { translate } = texts;

interface DeleteQuestionProps {
  /** The type to delete; null before anything is asked. */
  readonly type: schemas.SubscriptionType | null;
  readonly isOpen: boolean;
  readonly onConfirm: (type: schemas.SubscriptionType) => void;
  readonly onClose: () => void;
}

/** Asks before a saved type is deleted, and says what that means for subscribers. */
export function DeleteQuestion({ type, isOpen, onConfirm, onClose }: DeleteQuestionProps) {
  return (
    <ConfirmDialog
      title={translate('delete.title', { name: type === null ? '' : nameOf(type) })}
      action={translate('delete.action')}
      isOpen={isOpen}
      isPending={false}
      onConfirm={() => {
        if (type !== null) onConfirm(type);
      }}
      onClose={onClose}
    >
      {translate('delete.text')} {translate('delete.kept')}{' '}
      {type?.active === true ? translate('delete.hide') : null}
    </ConfirmDialog>
  );
}
