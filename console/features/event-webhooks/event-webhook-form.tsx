import { useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { EntryForm } from '../../email-settings/entry-form.tsx';
import { useEntryForm } from '../../email-settings/use-entry-form.ts';
import { itemAt } from '../../forms/field-group.ts';
import { FormField } from '../../forms/form-field.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { EVENT_WEBHOOKS, EVENTS } from './event-webhook-draft.ts';
import { texts } from './texts.ts';

const { translate } = texts;

interface EventWebhookFormProps {
  readonly settings: schemas.EmailSettings;
  /** The webhook to change; null: a new one. */
  readonly webhook: schemas.EventWebhookReplace | null;
  readonly onDone: () => void;
}

/** Adds or changes an event webhook. */
export function EventWebhookForm({ settings, webhook, onDone }: EventWebhookFormProps) {
  // The secret is not part of the draft, because drafts are stored in the browser.
  const [secret, setSecret] = useState<string | null | undefined>(undefined);
  const { draft, form, index, isDeleted } = useEntryForm(EVENT_WEBHOOKS, {
    settings,
    entry: webhook,
    onSaved: ({ name }, isAdded) => {
      toasts.add({ title: translate(isAdded ? 'added' : 'saved', { name }) });
      onDone();
    },
    explain: ({ issues }, _webhooks, place) =>
      // The server counts the entries as they are now, the form as they were.
      issues.some(({ field = '' }) => /^event_webhooks\[\d+\]\.name$/.test(field))
        ? { field: `event_webhooks[${place}].name`, message: translate('taken') }
        : null,
    addSecrets: (entry) => (secret === undefined ? entry : { ...entry, signing_secret: secret }),
    takeSecrets: ({ signing_secret, ...entry }) => {
      setSecret(signing_secret);
      return entry;
    },
  });
  const fields = itemAt<schemas.EventWebhookReplace, 'event_webhooks'>(form, 'event_webhooks', index);
  const isNew = webhook === null;
  return (
    <EntryForm
      draft={draft}
      form={form}
      isNew={isNew}
      isDeleted={isDeleted}
      texts={{
        add: translate('add'),
        save: translate('edit.action'),
        addAgain: translate('gone.add'),
        deleted: translate('gone'),
        discard: translate('gone.discard'),
      }}
      onDone={onDone}
    >
      {/* Its name is the key of a webhook: under another name it would be a new one, without its secret. */}
      {isNew ? (
        <FormField
          form={fields}
          name="name"
          label={translate('name')}
          help={translate('name.help')}
          autoFocus
        />
      ) : null}
      <FormField
        form={fields}
        name="target"
        label={translate('target')}
        help={translate('target.help')}
        placeholder="https://"
        isMono
        autoFocus={!isNew}
      />
      <FormField
        form={fields}
        name="events"
        label={translate('events')}
        options={EVENTS.map((id) => ({ id, title: translate(`event.${id}`) }))}
      />
      <FormField
        form={fields}
        name="signing_secret"
        label={translate('secret')}
        help={translate('secret.help')}
        keptText={translate('secret.kept')}
        isStored={!isNew && !isDeleted}
      />
      <FormField form={fields} name="active" label={translate('active')} help={translate('active.help')} />
    </EntryForm>
  );
}
