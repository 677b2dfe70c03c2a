import { useMemo, useState } from 'react';
import type { DraftFields } from '../../drafts/draft-fields.ts';
import { DraftFrame } from '../../drafts/draft-frame.tsx';
import { UndoButtons } from '../../drafts/undo-buttons.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { Form } from '../../forms/form.tsx';
import { useSubmit } from '../../forms/use-submit.ts';
import { ZoneField } from '../../forms/zone-field.tsx';
import { useSession, useSessionStore, useUserApi } from '../../session/session-context.tsx';
import { chooseTheme, chosenTheme, THEMES, type Theme } from '../../shell/theme.ts';
import { LOCALES } from '../../texts/locales.ts';
import { Section } from '../../ui/section.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { AccountPage } from './account-page.tsx';
import { texts } from './texts.ts';

const { translate } = texts;
/** Choice of the browser's language. */
const BROWSER = 'browser';
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
  const { value, change } = draft;
  const save = async (sent: typeof value) => {
    const saved = await api.auth.updateProfile(sent);
    store.replace({ ...store.state().session, user: saved.user });
  };
  const submission = useSubmit(['name', 'locale', 'time_zone'], async () => {
    if (!(await draft.save(save))) return;
    toasts.add({ title: translate('saved') });
    // The texts of a page are those of one language.
    if (value.locale !== locale) location.reload();
  });
  return (
    <DraftFrame draft={draft}>
      <Form submission={submission} action={translate('save')} secondary={<UndoButtons draft={draft} />}>
        <TextField
          label={translate('name')}
          value={value.name}
          onChange={(text) => change({ name: text })}
          error={submission.errorOf('name')}
          isRequired
        />
        <TextField label={translate('email')} help={translate('email.help')} value={user.email} isReadOnly />
        <Select
          label={translate('language')}
          value={value.locale ?? BROWSER}
          onChange={(choice) => change({ locale: choice === BROWSER ? null : choice })}
          error={submission.errorOf('locale')}
          options={languages()}
        />
        <ZoneField
          label={translate('zone')}
          help={translate('zone.help')}
          value={value.time_zone}
          onChange={(zone) => change({ time_zone: zone })}
          error={submission.errorOf('time_zone')}
        />
      </Form>
    </DraftFrame>
  );
}

function languages() {
  return [
    { id: BROWSER, title: translate('language.browser') },
    ...LOCALES.map((each) => ({ id: each, title: translate(`language.${each}`) })),
  ];
}

function profileFields(): DraftFields {
  const titleOf = (locale: unknown) => languages().find(({ id }) => id === (locale ?? BROWSER))?.title;
  return {
    name: { label: translate('name') },
    locale: { label: translate('language'), format: (locale) => titleOf(locale) ?? String(locale) },
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
