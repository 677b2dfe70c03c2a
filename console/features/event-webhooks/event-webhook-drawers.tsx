import type { schemas } from '../../../sdk/src/index.ts';
import { Drawer } from '../../ui/drawer.tsx';
import { EventWebhookForm } from './event-webhook-form.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

interface AddEventWebhookDrawerProps {
  readonly settings: schemas.EmailSettings;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The drawer that adds an event webhook. */
export function AddEventWebhookDrawer({ settings, isOpen, onClose }: AddEventWebhookDrawerProps) {
  return (
    <Drawer title={translate('add.title')} isOpen={isOpen} onClose={onClose}>
      <EventWebhookForm settings={settings} webhook={null} onDone={onClose} />
    </Drawer>
  );
}

interface EditEventWebhookDrawerProps extends AddEventWebhookDrawerProps {
  /** Undefined while the drawer is closed. */
  readonly webhook: schemas.EventWebhookReplace | undefined;
}

/** The drawer that changes an event webhook. */
export function EditEventWebhookDrawer(props: EditEventWebhookDrawerProps) {
  const { settings, webhook, isOpen, onClose } = props;
  return (
    <Drawer title={translate('edit.title')} description={webhook?.name} isOpen={isOpen} onClose={onClose}>
      {webhook === undefined ? null : (
        <EventWebhookForm settings={settings} webhook={webhook} onDone={onClose} />
      )}
    </Drawer>
  );
}
