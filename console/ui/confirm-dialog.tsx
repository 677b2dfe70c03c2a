import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import classes from './confirm-dialog.module.css';
import { Dialog } from './dialog.tsx';
import { uiTexts } from './texts.ts';

interface ConfirmDialogProps {
  /** The question, such as "Revoke this key?". */
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  /** The verb and object of the button. */
  readonly action: string;
  readonly isOpen: boolean;
  readonly isPending: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something that cannot be undone. The focus starts on the harmless button. */
export function ConfirmDialog({
  title,
  children,
  action,
  isOpen,
  isPending,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  return (
    <Dialog title={title} role="alertdialog" isOpen={isOpen} onClose={onClose}>
      <p className={classes.text}>{children}</p>
      <div className={classes.actions}>
        <Button onPress={onClose} autoFocus>
          {uiTexts.translate('cancel')}
        </Button>
        <Button variant="danger" onPress={onConfirm} isPending={isPending}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
