import type { schemas, TesseraError } from '../../../sdk/src/index.ts';
import { EntryForm } from '../../email-settings/entry-form.tsx';
import { useEntryForm } from '../../email-settings/use-entry-form.ts';
import type { Issue } from '../../forms/check-fields.ts';
import { itemAt } from '../../forms/field-group.ts';
import { FormField } from '../../forms/form-field.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { DomainHint } from './domain-hint.tsx';
import { domainOf, isVerified } from './sender.ts';
import { SENDERS } from './sender-draft.ts';
import { texts } from './texts.ts';

const { translate } = texts;

interface SenderFormProps {
  readonly settings: schemas.EmailSettings;
  /** The sender to change; null: a new one. */
  readonly sender: schemas.SenderIdentity | null;
  readonly onDone: () => void;
}

/** Adds or changes a sender. */
export function SenderForm({ settings, sender, onDone }: SenderFormProps) {
  const { draft, form, index, isDeleted } = useEntryForm(SENDERS, {
    settings,
    entry: sender,
    onSaved: ({ from_email_address: address }, isAdded) => {
      toasts.add({ title: translate(isAdded ? 'added' : 'saved', { address }) });
      onDone();
    },
    explain: (error, senders, place) => explain(error, settings, senders, place),
  });
  const fields = itemAt<schemas.SenderIdentity, 'sender_identities'>(form, 'sender_identities', index);
  return (
    <EntryForm
      draft={draft}
      form={form}
      isNew={sender === null}
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
      <FormField
        form={fields}
        name="from_name"
        label={translate('name')}
        help={translate('name.help')}
        autoFocus
      />
      <FormField
        form={fields}
        name="from_email_address"
        label={translate('address')}
        help={translate('address.help')}
      />
      <DomainHint settings={settings} address={draft.value.from_email_address} />
      <FormField form={fields} name="reply_to" label={translate('reply')} help={translate('reply.help')} />
    </EntryForm>
  );
}

/** Explains why the list of senders was refused: because of this sender, or of others. */
function explain(
  { code }: TesseraError,
  settings: schemas.EmailSettings,
  senders: readonly schemas.SenderIdentity[],
  index: number,
): Issue | null {
  const field = `sender_identities[${index}].from_email_address`;
  if (code === 'DUPLICATE_SENDER_IDENTITY') return { field, message: translate('taken') };
  if (code !== 'INVALID_SENDER_IDENTITY') return null;
  const unverified = senders.filter((each) => !isVerified(settings, domainOf(each.from_email_address)));
  const own = senders[index];
  if (own === undefined || unverified.includes(own) || unverified.length === 0)
    return { field, message: translate('unverified') };
  const addresses = unverified.map(({ from_email_address }) => from_email_address).join(', ');
  return { field: '', message: translate('others', { addresses }) };
}
