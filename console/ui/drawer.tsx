import type { ReactNode } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import classes from './drawer.module.css';
import { IconButton } from './icon-button.tsx';
import { uiTexts } from './texts.ts';

interface DrawerProps {
  readonly title: string;
  readonly description?: string | undefined;
  /** A {@link Badge} beside the title. */
  readonly status?: ReactNode;
  /** 480 or 720 px. */
  readonly width?: 'medium' | 'wide';
  readonly isOpen: boolean;
  /**
   * Called by Escape, the close button and a click beside the drawer. The caller decides what happens to its content.
   */
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A panel on the right with a URL of its own: the list stays visible beside it. On phones it takes the whole page. */
export function Drawer({
  title,
  description,
  status,
  width = 'medium',
  isOpen,
  onClose,
  children,
}: DrawerProps) {
  return (
    <ModalOverlay
      className={classes.overlay ?? ''}
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Modal className={classes.modal ?? ''} data-width={width}>
        <Dialog className={classes.dialog ?? ''}>
          <header className={classes.header}>
            <div className={classes.words}>
              <div className={classes.line}>
                <Heading slot="title" className={classes.title ?? ''}>
                  {title}
                </Heading>
                {status}
              </div>
              {description === undefined ? null : <p className={classes.description}>{description}</p>}
            </div>
            <IconButton icon="x" label={uiTexts.translate('close')} onPress={onClose} />
          </header>
          <div className={classes.content}>{children}</div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
