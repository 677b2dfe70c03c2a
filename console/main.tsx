import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { formTexts } from './forms/texts.ts';
import { createConsoleRouter } from './router.tsx';
import { readEmbeddedSession } from './session/embedded-session.ts';
import { SessionProvider } from './session/session-context.tsx';
import { SessionStore } from './session/session-store.ts';
import { shellTexts } from './shell/texts.ts';
import { applyTheme } from './shell/theme.ts';
import { chooseLocale } from './texts/locales.ts';
import { activateLocale } from './texts/texts.ts';
import { activateTimeZone } from './texts/time-zone.ts';
import { uiTexts } from './ui/texts.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element "root"');

const session = readEmbeddedSession();
activateLocale(chooseLocale(session.user.locale, navigator.languages));
activateTimeZone(session.user.time_zone);
applyTheme();

const router = createConsoleRouter();
// The screen loads together with the texts of the frame.
await Promise.all([shellTexts.load(), uiTexts.load(), formTexts.load(), router.load()]);

// The SDK repeats failed calls itself.
const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <SessionProvider store={new SessionStore(session)}>
        <RouterProvider router={router} />
      </SessionProvider>
    </QueryClientProvider>
  </StrictMode>,
);
