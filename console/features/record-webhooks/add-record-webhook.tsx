import create from 'operation:entity_webhooks.create';
import { useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { DraftFrame } from '../../drafts/draft-frame.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { FormField } from '../../forms/form-field.tsx';
import { OperationForm } from '../../forms/operation-form.tsx';
import { useForm } from '../../forms/use-form.ts';
import { useApi } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { Drawer } from '../../ui/drawer.tsx';
import { hostOf } from '../../ui/host-of.ts';
import { toasts } from '../../ui/toasts.tsx';
import { ChangeChoice } from './change-choice.tsx';
import { NEW_RECORD_WEBHOOK, recordWebhookFields } from './record-webhook-draft.ts';
import { texts } from './texts.ts';

const { translate } = texts;
const EMPTY: Partial<schemas.EntityWebhookCreate> = { events: [] };

interface AddRecordWebhookDrawerProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The drawer that adds a record webhook. */
export function AddRecordWebhookDrawer({ isOpen, onClose }: AddRecordWebhookDrawerProps) {
  return (
    <Drawer title={translate('add.title')} isOpen={isOpen} onClose={onClose}>
      <AddForm onDone={onClose} />
    </Drawer>
  );
}

function AddForm({ onDone }: { readonly onDone: () => void }) {
  const api = useApi();
  const invalidate = useInvalidate();
  const draft = useDraft({ ...NEW_RECORD_WEBHOOK, saved: EMPTY, fields: recordWebhookFields() });
  const [secret, setSecret] = useState<schemas.EntityWebhookCreate['secret']>(undefined);
  const form = useForm({
    operation: create,
    call: (body: schemas.EntityWebhookCreate, once) =>
      draft.save(() => api.entityWebhooks.create(body, once)),
    value: { ...draft.value, secret },
    onChange: ({ secret: entered, ...value }) => {
      setSecret(entered);
      draft.set(value);
    },
    onDone: async (saved) => {
      if (saved === null) return;
      await invalidate('record-webhooks');
      toasts.add({ title: translate('added', { host: hostOf(saved.reply.url) }) });
      onDone();
    },
  });
  return (
    <DraftFrame draft={draft}>
      <OperationForm form={form} action={translate('add')} isKept>
        <FormField
          form={form}
          name="url"
          label={translate('target')}
          help={translate('target.help')}
          placeholder="https://"
          isMono
          autoFocus
        />
        <ChangeChoice form={form} />
        <FormField
          form={form}
          name="secret"
          label={translate('secret')}
          help={translate('secret.help')}
          isRequired
        />
      </OperationForm>
    </DraftFrame>
  );
}
