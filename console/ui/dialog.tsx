import type { ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import classes from './dialog.module.css';
import { IconButton } from './icon-button.tsx';
import { uiTexts } from './texts.ts';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  /** Called by Escape and the close button. Without it the user cannot close the dialog. */
  readonly onClose?: () => void;
  /** An alert dialog asks a question before something is lost. */
  readonly role?: 'dialog' | 'alertdialog';
  readonly children: ReactNode;
}

/** A dialog in the middle of the page, for questions. Forms with more than two fields belong in a {@link Drawer}. */
export function Dialog({ title, isOpen, onClose, role = 'dialog', children }: DialogProps) {
  return (
    <ModalOverlay
      className={classes.overlay ?? ''}
      isOpen={isOpen}
      isKeyboardDismissDisabled={onClose === undefined}
      onOpenChange={(open) => {
        if (!open) onClose?.();
      }}
    >
      <Modal className={classes.modal ?? ''}>
        <AriaDialog className={classes.dialog ?? ''} role={role}>
          <header className={classes.header}>
            <Heading slot="title" className={classes.title ?? ''}>
              {title}
            </Heading>
            {onClose === undefined ? null : (
              <IconButton icon="x" size="small" label={uiTexts.translate('close')} onPress={onClose} />
            )}
          </header>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
