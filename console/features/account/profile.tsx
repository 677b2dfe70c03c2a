import updateProfile from 'operation:auth.update_profile';
import { useMemo, useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import type { DraftFields } from '../../drafts/draft-fields.ts';
import { DraftFrame } from '../../drafts/draft-frame.tsx';
import { UndoButtons } from '../../drafts/undo-buttons.tsx';
import { type Saved, useDraft } from '../../drafts/use-draft.ts';
import { useField } from '../../forms/field-group.ts';
import { FormField } from '../../forms/form-field.tsx';
import { OperationForm } from '../../forms/operation-form.tsx';
import { useForm } from '../../forms/use-form.ts';
import { ZoneField } from '../../forms/zone-field.tsx';
import { useSession, useSessionStore, useUserApi } from '../../session/session-context.tsx';
import { chooseTheme, chosenTheme, THEMES, type Theme } from '../../shell/theme.ts';
import { LOCALES } from '../../texts/locales.ts';
import { Section } from '../../ui/section.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { AccountPage } from './account-page.tsx';
import { texts } from './texts.ts';

const { translate } = texts;
/** The user's only item of this type. */
const ITEM = { type: 'profile', itemKey: 'own' };

/** The user's name, language, time zone and theme. */
export function Profile() {
  return (
    <AccountPage>
      <ProfileForm />
      <ThemeChoice />
    </AccountPage>
  );
}

function ProfileForm() {
  const { user } = useSession();
  const store = useSessionStore();
  const api = useUserApi();
  const { name, locale, time_zone } = user;
  const draft = useDraft({
    ...ITEM,
    saved: useMemo(() => ({ name, locale, time_zone }), [name, locale, time_zone]),
    fields: profileFields(),
  });
  const save = async (sent: typeof draft.value) => {
    const saved = await api.auth.updateProfile(sent);
    store.replace({ ...store.state().session, user: saved.user });
  };
  const form = useForm<schemas.ProfileChange, Saved<void> | null>({
    operation: updateProfile,
    call: () => draft.save(save),
    value: draft.value,
    onChange: draft.change,
    onDone: (saved) => {
      if (saved === null) return;
      toasts.add({ title: translate('saved') });
      // The texts of a page are those of one language.
      if (draft.value.locale !== locale) location.reload();
    },
  });
  const zone = useField(form, 'time_zone');
  return (
    <DraftFrame draft={draft}>
      <OperationForm form={form} action={translate('save')} isKept secondary={<UndoButtons draft={draft} />}>
        <FormField form={form} name="name" label={translate('name')} />
        <TextField label={translate('email')} help={translate('email.help')} value={user.email} isReadOnly />
        <FormField
          form={form}
          name="locale"
          label={translate('language')}
          options={LOCALES.map((each) => ({ id: each, title: translate(`language.${each}`) }))}
          noneTitle={translate('language.browser')}
        />
        <ZoneField
          {...zone}
          label={translate('zone')}
          help={translate('zone.help')}
          value={zone.value ?? null}
        />
      </OperationForm>
    </DraftFrame>
  );
}

function profileFields(): DraftFields {
  const languageOf = (locale: unknown) => LOCALES.find((each) => each === locale);
  return {
    name: { label: translate('name') },
    locale: {
      label: translate('language'),
      format: (locale) => translate(`language.${languageOf(locale) ?? 'browser'}`),
    },
    time_zone: { label: translate('zone') },
  };
}

function ThemeChoice() {
  const [theme, setTheme] = useState<Theme>(chosenTheme);
  const choose = (choice: Theme) => {
    setTheme(choice);
    chooseTheme(choice);
  };
  return (
    <Section title={translate('theme')} description={translate('theme.help')}>
      <SegmentedControl
        label={translate('theme')}
        value={theme}
        onChange={choose}
        options={THEMES.map((each) => ({ id: each, title: translate(`theme.${each}`) }))}
      />
    </Section>
  );
}
