import type { schemas } from '../../../sdk/src/index.ts';
import { Drawer } from '../../ui/drawer.tsx';
import { SenderForm } from './sender-form.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

interface AddSenderDrawerProps {
  readonly settings: schemas.EmailSettings;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The drawer that adds a sender. */
export function AddSenderDrawer({ settings, isOpen, onClose }: AddSenderDrawerProps) {
  return (
    <Drawer title={translate('add.title')} isOpen={isOpen} onClose={onClose}>
      <SenderForm settings={settings} sender={null} onDone={onClose} />
    </Drawer>
  );
}

interface EditSenderDrawerProps extends AddSenderDrawerProps {
  /** Undefined while the drawer is closed. */
  readonly sender: schemas.SenderIdentity | undefined;
}

/** The drawer that changes a sender. */
export function EditSenderDrawer({ settings, sender, isOpen, onClose }: EditSenderDrawerProps) {
  return (
    <Drawer
      title={translate('edit.title')}
      description={sender?.from_email_address}
      isOpen={isOpen}
      onClose={onClose}
    >
      {sender === undefined ? null : <SenderForm settings={settings} sender={sender} onDone={onClose} />}
    </Drawer>
  );
}
