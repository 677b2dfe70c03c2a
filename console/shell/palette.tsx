import { useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { FEATURES } from '../features/index.ts';
import { kindTexts } from '../kinds/texts.ts';
import { useMembership } from '../session/session-context.tsx';
import { useSignOut } from '../session/use-sign-out.ts';
import { activeLocale } from '../texts/texts.ts';
import type { DialogCommand, DialogSection } from '../ui/command-dialog.tsx';
import type { IconName } from '../ui/icon-names.ts';
import { whenIdle } from '../ui/when-idle.tsx';
import { navigationOf } from './navigation.ts';
import { type TenantPath, useTenantPath } from './tenant-path.ts';
import { shellTexts } from './texts.ts';
import { chooseTheme, THEMES, type Theme } from './theme.ts';
import { useRecordCommands } from './use-record-commands.ts';

const { translate } = shellTexts;
const loadDialog = () => import('../ui/command-dialog.tsx');
const CommandDialog = lazy(async () => ({ default: (await loadDialog()).CommandDialog }));
type CommandText = 'account.profile' | 'account.security' | 'account.sign-out' | `theme.${Theme}`;
const THEME_ICONS = { system: 'monitor', light: 'sun', dark: 'moon' } as const;

interface PaletteProps {
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

/** The command palette: Ctrl K or Cmd K opens it. */
export function Palette({ isOpen, onOpenChange }: PaletteProps) {
  const [text, setText] = useState('');
  const sections = useSections(text);
  // The field is empty when the dialog opens again.
  useEffect(() => {
    if (!isOpen) setText('');
  }, [isOpen]);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      onOpenChange(!isOpen);
    };
    document.addEventListener('keydown', open);
    return () => document.removeEventListener('keydown', open);
  }, [isOpen, onOpenChange]);
  // Loaded after the first screen, but before it is needed, so that no key is lost.
  const [isLoaded, setLoaded] = useState(false);
  useEffect(
    () =>
      void whenIdle()
        .then(() => Promise.all([loadDialog(), kindTexts.load()]))
        .then(() => setLoaded(true)),
    [],
  );
  if (!isLoaded) return null;
  return (
    <Suspense>
      <CommandDialog
        isOpen={isOpen}
        onOpenChange={onOpenChange}
        sections={sections}
        onTextChange={setText}
        placeholder={translate('palette.placeholder')}
        empty={translate('palette.empty')}
      />
    </Suspense>
  );
}

function useSections(text: string): DialogSection[] {
  const router = useRouter();
  const pathOf = useTenantPath();
  const membership = useMembership();
  const signOut = useSignOut();
  const go = (path: ReturnType<TenantPath>) => void router.navigate({ href: router.options.basepath + path });
  const open = (path: ReturnType<TenantPath>) => () => go(path);
  const records = useRecordCommands(text, go);
  const locale = activeLocale();
  const screens = navigationOf(membership).flatMap(({ entries }) => entries);
  const commands = FEATURES.flatMap((feature) => feature.commands ?? []).filter(
    ({ isForOwners = false }) => membership.is_tenant_admin || !isForOwners,
  );
  return [
    {
      title: translate('palette.actions'),
      commands: commands.map(({ title, icon, keywords, path, search }) => ({
        id: `command ${title.en}`,
        title: title[locale],
        icon,
        keywords: [title[locale], title.en, keywords?.[locale], keywords?.en].join(' '),
        run: open(pathOf(path, search)),
      })),
    },
    {
      title: translate('palette.go'),
      commands: screens.map(({ title, icon, path }) => ({
        id: `screen ${path}`,
        title: title[locale],
        icon,
        keywords: `${title[locale]} ${title.en}`,
        run: open(pathOf(path)),
      })),
    },
    {
      title: translate('palette.account'),
      commands: [
        command('account.profile', 'user', open('/account')),
        command('account.security', 'shield', open('/account/security')),
        ...THEMES.map((theme) => command(`theme.${theme}`, THEME_ICONS[theme], () => chooseTheme(theme))),
        command('account.sign-out', 'log-out', () => void signOut()),
      ],
    },
    { title: translate('palette.records'), commands: records },
  ].filter((section) => section.commands.length > 0);
}

/** A command with a title and further words in the shell's texts. */
function command(text: CommandText, icon: IconName, run: () => void): DialogCommand {
  const title = translate(text);
  return { id: text, title, icon, keywords: `${title} ${translate(`words.${text}`)}`, run };
}
