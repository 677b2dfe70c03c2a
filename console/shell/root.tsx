import { Outlet, useRouter } from '@tanstack/react-router';
import { activeLocale } from '../texts/texts.ts';
import { LinkProvider } from '../ui/link-provider.tsx';

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
    </LinkProvider>
  );
}
