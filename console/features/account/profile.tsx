import { useState } from 'react';
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
  const [name, setName] = useState(user.name);
  const [locale, setLocale] = useState(user.locale ?? BROWSER);
  const [zone, setZone] = useState(user.time_zone);
  const submission = useSubmit(['name', 'locale', 'time_zone'], async () => {
    const saved = await api.auth.updateProfile({
      name,
      locale: locale === BROWSER ? null : locale,
      time_zone: zone,
    });
    const isNewLanguage = saved.user.locale !== user.locale;
    store.replace({ ...store.state().session, user: saved.user });
    toasts.add({ title: translate('saved') });
    // The texts of a page are those of one language.
    if (isNewLanguage) location.reload();
  });
  return (
    <Form submission={submission} action={translate('save')}>
      <TextField
        label={translate('name')}
        value={name}
        onChange={setName}
        error={submission.errorOf('name')}
        isRequired
      />
      <TextField label={translate('email')} help={translate('email.help')} value={user.email} isReadOnly />
      <Select
        label={translate('language')}
        value={locale}
        onChange={setLocale}
        error={submission.errorOf('locale')}
        options={[
          { id: BROWSER, title: translate('language.browser') },
          ...LOCALES.map((each) => ({ id: each, title: translate(`language.${each}`) })),
        ]}
      />
      <ZoneField
        label={translate('zone')}
        help={translate('zone.help')}
        value={zone}
        onChange={setZone}
        error={submission.errorOf('time_zone')}
      />
    </Form>
  );
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
