import patch from 'operation:email_settings.patch';
import { useMemo, useState } from 'react';
import type { schemas, TesseraError } from '../../../sdk/src/index.ts';
import { DraftFrame } from '../../drafts/draft-frame.tsx';
import { UndoButtons } from '../../drafts/undo-buttons.tsx';
import { type Draft, type Saved, useDraft } from '../../drafts/use-draft.ts';
import type { Issue } from '../../forms/check-fields.ts';
import { itemAt } from '../../forms/field-group.ts';
import { FormField } from '../../forms/form-field.tsx';
import { OperationForm } from '../../forms/operation-form.tsx';
import { useForm } from '../../forms/use-form.ts';
import { useApi } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { DomainHint } from './domain-hint.tsx';
import { domainOf, isMissing, isVerified, withSender } from './sender.ts';
import { EMPTY_SENDER, SENDER, type SenderDraft, senderFields } from './sender-draft.ts';
import { texts } from './texts.ts';

const { translate } = texts;

interface SenderFormProps {
  readonly settings: schemas.EmailSettings;
  /** The sender to change; null: a new one. */
  readonly sender: schemas.SenderIdentity | null;
  readonly onDone: () => void;
}

/** Adds or changes a sender. The API replaces the list of senders as a whole. */
export function SenderForm({ settings, sender, onDone }: SenderFormProps) {
  const api = useApi();
  const invalidate = useInvalidate();
  const key = sender?.from_email_address ?? null;
  const [isDone, setDone] = useState(false);
  // A new address of the sender is no deletion.
  const isDeleted = key !== null && !isDone && isMissing(settings, key);
  const draft = useDraft<SenderDraft>({
    type: SENDER,
    itemKey: key,
    saved: useMemo(() => draftOf(settings, sender), [settings, sender]),
    read: async () => draftOf(await api.emailSettings.get(), sender),
    fields: senderFields(),
  });
  const { version: _, ...edited } = draft.value;
  const senders = withSender(settings.sender_identities, key, edited);
  const index = senders.indexOf(edited);
  const send = async ({ version, ...sent }: SenderDraft) => {
    const latest = await api.emailSettings.get();
    if (key !== null && !isDeleted && isMissing(latest, key)) throw new DeletedError();
    // If the settings are newer than the draft, the version is refused, and the draft merged.
    return api.emailSettings.patch({
      sender_identities: withSender(latest.sender_identities, key, sent),
      version: version ?? latest.version,
    });
  };
  const form = useForm<schemas.EmailSettingsPatch, Saved<schemas.IdReply> | null>({
    operation: patch,
    call: async () => {
      try {
        return await draft.save(send);
      } catch (cause) {
        if (!(cause instanceof DeletedError)) throw cause;
        // The form then says so.
        await invalidate('email-settings');
        return null;
      }
    },
    value: { sender_identities: senders, version: settings.version },
    onChange: ({ sender_identities: changed = [] }) => draft.change(changed[index] ?? {}),
    onDone: async (saved) => {
      if (saved === null) return;
      setDone(true);
      await invalidate('email-settings');
      const { from_email_address: address } = draft.value;
      toasts.add({ title: translate(sender === null || isDeleted ? 'added' : 'saved', { address }) });
      onDone();
    },
    explain: async (error) => explain(error, settings, senders, index),
  });
  const fields = itemAt<schemas.SenderIdentity, 'sender_identities'>(form, 'sender_identities', index);
  return (
    <DraftFrame draft={draft}>
      {isDeleted ? <DeletedNotice draft={draft} onDone={onDone} /> : null}
      <OperationForm
        form={form}
        action={translate(sender === null ? 'add' : isDeleted ? 'gone.add' : 'edit.action')}
        isKept
        secondary={sender === null ? undefined : <UndoButtons draft={draft} />}
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
        <DomainHint settings={settings} address={edited.from_email_address} />
        <FormField form={fields} name="reply_to" label={translate('reply')} help={translate('reply.help')} />
      </OperationForm>
    </DraftFrame>
  );
}

/** Stops a save of a sender that somebody else has deleted. */
class DeletedError extends Error {}

interface DeletedNoticeProps extends Pick<SenderFormProps, 'onDone'> {
  readonly draft: Draft<SenderDraft>;
}

/** Says that somebody else has deleted the sender. The button of the form adds it again. */
function DeletedNotice({ draft, onDone }: DeletedNoticeProps) {
  const discard = () => {
    draft.discard();
    onDone();
  };
  return (
    <Banner
      tone="warning"
      isLive
      action={
        <Button size="small" onPress={discard}>
          {translate('gone.discard')}
        </Button>
      }
    >
      {translate('gone')}
    </Banner>
  );
}

/** Returns what the draft of a sender begins with. One that somebody else has deleted is as it was. */
function draftOf(
  { sender_identities, version }: schemas.EmailSettings,
  sender: schemas.SenderIdentity | null,
): SenderDraft {
  if (sender === null) return EMPTY_SENDER;
  const current = sender_identities.find((each) => each.from_email_address === sender.from_email_address);
  return { ...(current ?? sender), version };
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
