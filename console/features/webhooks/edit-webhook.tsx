import replace from 'operation:webhooks.replace';
import { useMemo } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { DraftFrame } from '../../drafts/draft-frame.tsx';
import { UndoButtons } from '../../drafts/undo-buttons.tsx';
import { type Saved, useDraft } from '../../drafts/use-draft.ts';
import { FormField } from '../../forms/form-field.tsx';
import { OperationForm } from '../../forms/operation-form.tsx';
import { useForm } from '../../forms/use-form.ts';
import { useApi } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { Drawer } from '../../ui/drawer.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { texts } from './texts.ts';
import { useSecrets } from './use-secrets.ts';
import { WEBHOOK, webhookFields } from './webhook-draft.ts';
import { WebhookFields } from './webhook-fields.tsx';

const { translate } = texts;

interface EditWebhookDrawerProps {
  readonly webhook: schemas.Webhook;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The drawer that changes a webhook. */
export function EditWebhookDrawer({ webhook, isOpen, onClose }: EditWebhookDrawerProps) {
  return (
    <Drawer title={translate('edit.title')} description={webhook.name} isOpen={isOpen} onClose={onClose}>
      <EditForm webhook={webhook} onDone={onClose} />
    </Drawer>
  );
}

function EditForm({ webhook, onDone }: { readonly webhook: schemas.Webhook; readonly onDone: () => void }) {
  const { id } = webhook;
  const api = useApi();
  const invalidate = useInvalidate();
  const draft = useDraft({
    type: WEBHOOK,
    itemKey: id,
    saved: useMemo(() => bodyOf(webhook), [webhook]),
    read: async () => bodyOf(await api.webhooks.get(id)),
    fields: webhookFields(),
  });
  const secrets = useSecrets();
  const form = useForm<schemas.WebhookReplace, Saved<schemas.IdReply> | null>({
    operation: replace,
    path: [id],
    call: () => draft.save((sent) => api.webhooks.replace(id, secrets.addTo(sent))),
    value: secrets.addTo(draft.value),
    onChange: (value) => draft.change(secrets.takeFrom(value)),
    onDone: async (saved) => {
      if (saved === null) return;
      await invalidate('webhooks');
      toasts.add({ title: translate('saved', { name: draft.value.name }) });
      onDone();
    },
  });
  const stored = webhook.target.headers.flatMap(({ name, is_secret }) => (is_secret ? [name] : []));
  return (
    <DraftFrame draft={draft}>
      <OperationForm
        form={form}
        action={translate('edit.action')}
        isKept
        secondary={<UndoButtons draft={draft} />}
      >
        <FormField
          form={form}
          name="name"
          label={translate('name')}
          help={translate('name.help')}
          autoFocus
        />
        <WebhookFields form={form} storedHeaders={stored} />
      </OperationForm>
    </DraftFrame>
  );
}

/** Returns the body that stores a webhook as it is. */
function bodyOf({ name, target, active, test_data, version }: schemas.Webhook): schemas.WebhookReplace {
  return { name, target, active, test_data, version };
}
