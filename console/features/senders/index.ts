import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { draftTexts } from '../../drafts/texts.ts';
import type { Feature } from '../../feature.ts';
import { tenantRoute } from '../../routes.ts';
import { texts } from './texts.ts';

/** Query parameters of the list: the drawer that is open, for a new sender or for the one with this address. */
export type SendersSearch = { readonly new?: boolean; readonly edit?: string };

/** The senders of the tenant. */
export const sendersRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'settings/senders',
  staticData: { screen: 'senders/senders', isTenantWide: true },
  validateSearch: ({ new: isNew, edit }): SendersSearch => ({
    ...(isNew === true ? { new: isNew } : {}),
    ...(typeof edit === 'string' ? { edit } : {}),
  }),
  loader: () => Promise.all([texts.load(), draftTexts.load()]),
  component: lazyRouteComponent(() => import('./senders.tsx'), 'Senders'),
});

/** Senders: names and addresses that mail comes from. */
export const senders: Feature = {
  routes: [sendersRoute],
  navigation: [
    { group: 'settings', title: { en: 'Senders', de: 'Absender' }, icon: 'mail', path: 'settings/senders' },
  ],
  commands: [
    {
      title: { en: 'Add sender', de: 'Absender hinzufügen' },
      icon: 'plus',
      keywords: { en: 'from address reply mail', de: 'Von Adresse Antwort E-Mail' },
      path: 'settings/senders',
      search: { new: true },
    },
  ],
};
