import './ui/tokens.css';
import './ui/base.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { I18nProvider } from 'react-aria-components';
import { createRoot } from 'react-dom/client';
import { createConsoleRouter } from './router.tsx';
import { chooseLocale } from './texts/locales.ts';
import { i18n } from './texts/texts.ts';

// This file is /console/assets/main-….js, below the path that the server has behind a proxy.
const basepath = new URL('..', import.meta.url).pathname;
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element "root"');

const locale = chooseLocale(null, navigator.languages);
i18n.activate(locale);
document.documentElement.lang = locale;

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={new QueryClient()}>
      <I18nProvider locale={locale}>
        <RouterProvider router={createConsoleRouter(basepath)} />
      </I18nProvider>
    </QueryClientProvider>
  </StrictMode>,
);
