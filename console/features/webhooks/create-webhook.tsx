import create from 'operation:webhooks.create';
import { useNavigate } from '@tanstack/react-router';
import type { schemas } from '../../../sdk/src/index.ts';
import { DraftFrame } from '../../drafts/draft-frame.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { groupAt } from '../../forms/field-group.ts';
import { FormField } from '../../forms/form-field.tsx';
import { OperationForm } from '../../forms/operation-form.tsx';
import { useForm } from '../../forms/use-form.ts';
import { useApi } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { Drawer } from '../../ui/drawer.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { FormChoice } from './form-choice.tsx';
import { webhookRoute } from './index.ts';
import { texts } from './texts.ts';
import { useSecrets } from './use-secrets.ts';
import { NEW_WEBHOOK, webhookFields } from './webhook-draft.ts';
import { WebhookFields } from './webhook-fields.tsx';

const { translate } = texts;

const EMPTY: Partial<schemas.WebhookCreate> = {
  event: { event_type: 'form.submission', form_code: '' },
  active: true,
};

interface CreateWebhookDrawerProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The drawer that creates a webhook. */
export function CreateWebhookDrawer({ isOpen, onClose }: CreateWebhookDrawerProps) {
  return (
    <Drawer title={translate('create.title')} isOpen={isOpen} onClose={onClose}>
      <CreateForm />
    </Drawer>
  );
}

function CreateForm() {
  const api = useApi();
  const invalidate = useInvalidate();
  const navigate = useNavigate();
  const draft = useDraft({ ...NEW_WEBHOOK, saved: EMPTY, fields: webhookFields() });
  const secrets = useSecrets();
  const form = useForm({
    operation: create,
    call: (body: schemas.WebhookCreate, once) => draft.save(() => api.webhooks.create(body, once)),
    value: secrets.addTo(draft.value),
    onChange: (value) => draft.set(secrets.takeFrom(value)),
    onDone: async (saved) => {
      if (saved === null) return;
      await invalidate('webhooks');
      toasts.add({ title: translate('created', { name: draft.value.name ?? '' }) });
      await navigate({
        from: '/t/$tenant',
        to: webhookRoute.to,
        params: (before) => ({ ...before, webhookId: saved.reply.id }),
      });
    },
  });
  return (
    <DraftFrame draft={draft}>
      <OperationForm form={form} action={translate('create.action')} isKept>
        <FormField
          form={form}
          name="name"
          label={translate('name')}
          help={translate('name.help')}
          autoFocus
        />
        <FormChoice form={groupAt(form, 'event')} />
        <WebhookFields form={form} />
      </OperationForm>
    </DraftFrame>
  );
}
