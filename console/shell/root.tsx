import { Outlet, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { useSessionState } from '../session/session-context.tsx';
import { activeLocale } from '../texts/texts.ts';
import { LinkProvider } from '../ui/link-provider.tsx';
import { lazyWhenIdle, whenIdle } from '../ui/when-idle.tsx';

const loadPrompt = () => import('./password-prompt.tsx');
// The first screen needs neither.
const Toasts = lazyWhenIdle(async () => (await import('../ui/toasts.tsx')).Toasts);
const PasswordPrompt = lazy(async () => ({ default: (await loadPrompt()).PasswordPrompt }));

/** The root of the page: the current screen, the password prompt and the toasts. */
export function Root() {
  const router = useRouter();
  const { waitsFor } = useSessionState();
  const pathOf = (href: string) => (href.startsWith('/') ? router.options.basepath + href : href);
  // After the first screen, but before it is needed: an expired session must not depend on loading a file.
  useEffect(() => void whenIdle().then(loadPrompt), []);
  return (
    <LinkProvider
      locale={activeLocale()}
      navigate={(href) => void router.navigate({ href: pathOf(href) })}
      hrefOf={pathOf}
    >
      <Outlet />
      {waitsFor === null ? null : (
        <Suspense>
          <PasswordPrompt reason={waitsFor} />
        </Suspense>
      )}
      <Toasts />
    </LinkProvider>
  );
}
