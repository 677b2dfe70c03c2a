import patch from 'operation:email_settings.patch';
import { useMemo } from 'react';
import type { schemas } from '../../sdk/src/index.ts';
import type { DraftFields } from '../drafts/draft-fields.ts';
import { type Draft, type Saved, useDraft } from '../drafts/use-draft.ts';
import { type Form, useForm } from '../forms/use-form.ts';
import { useApi } from '../session/session-context.tsx';
import { useInvalidate } from '../session/use-tenant-query.ts';
import { toasts } from '../ui/toasts.tsx';

/** Kind of the parts of the email settings among drafts. */
export const EMAIL_SETTINGS = 'email_settings';

/** A part of the email settings that a screen edits as a whole. */
interface SettingsPart<Value extends schemas.EmailSettingsPatch> {
  readonly settings: schemas.EmailSettings;
  /** Name of the part among drafts. */
  readonly name: string;
  /** Returns the part with the version of the settings. Always the same function. */
  readonly partOf: (settings: schemas.EmailSettings) => Value;
  /** How drafts show the part. */
  readonly fields: DraftFields;
  /** The message after a save. */
  readonly savedText: string;
}

/** Edits a part of the email settings. A save keeps all other parts, and changes of others to this one. */
export function useSettingsForm<Value extends schemas.EmailSettingsPatch>({
  settings,
  name,
  partOf,
  fields,
  savedText,
}: SettingsPart<Value>): { readonly draft: Draft<Value>; readonly form: Form<Value> } {
  const api = useApi();
  const invalidate = useInvalidate();
  const draft = useDraft<Value>({
    type: EMAIL_SETTINGS,
    itemKey: name,
    saved: useMemo(() => partOf(settings), [partOf, settings]),
    read: async () => partOf(await api.emailSettings.get()),
    fields,
  });
  const form = useForm<Value, Saved<schemas.IdReply> | null>({
    operation: patch,
    call: () => draft.save((sent) => api.emailSettings.patch(sent)),
    value: draft.value,
    onChange: draft.change,
    onDone: async (saved) => {
      if (saved === null) return;
      await invalidate('email-settings');
      toasts.add({ title: savedText });
    },
  });
  return { draft, form };
}
