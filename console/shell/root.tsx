import { Outlet, useRouter } from '@tanstack/react-router';
import { activeLocale } from '../texts/texts.ts';
import { LinkProvider } from '../ui/link-provider.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { PasswordPrompt } from './password-prompt.tsx';

/** Everything on the page. */
export function Root() {
  const router = useRouter();
  return (
    <LinkProvider
      locale={activeLocale()}
      navigate={(path) => void router.navigate({ href: router.options.basepath + path })}
      hrefOf={(path) => `${router.options.basepath}${path}`}
    >
      <Outlet />
      <PasswordPrompt />
      <Toasts />
    </LinkProvider>
  );
}
