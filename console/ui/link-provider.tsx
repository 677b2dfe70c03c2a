import type { ReactNode } from 'react';
// The index of react-aria-components exports it too, but would load all components with the first screen.
import { RouterProvider } from 'react-aria/private/utils/openLink';
import { I18nProvider } from 'react-aria-components/I18nProvider';

interface LinkProviderProps {
  readonly locale: string;
  /** Opens a path of the console. */
  readonly navigate: (path: string) => void;
  /** Returns the URL of a path of the console. */
  readonly hrefOf: (path: string) => string;
  readonly children: ReactNode;
}

/** Gives all components of `ui` the language, and lets their links open paths of the console without loading a page. */
export function LinkProvider({ locale, navigate, hrefOf, children }: LinkProviderProps) {
  return (
    <I18nProvider locale={locale}>
      <RouterProvider navigate={navigate} useHref={hrefOf}>
        {children}
      </RouterProvider>
    </I18nProvider>
  );
}
