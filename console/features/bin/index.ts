import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../feature.ts';
import { historyTexts } from '../../history/texts.ts';
import { kindTexts } from '../../kinds/texts.ts';
import { tenantRoute } from '../../routes.ts';
import { loadTableTexts } from '../../table/load-texts.ts';
import { texts } from './texts.ts';

/** Query parameters of the bin. */
export type BinSearch = { readonly page?: number; readonly search?: string; readonly kind?: string };

/** The deleted records of the tenant. */
export const binRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'bin',
  staticData: { screen: 'bin/bin' },
  validateSearch: ({ page, search, kind }): BinSearch => ({
    ...(typeof page === 'number' && Number.isSafeInteger(page) && page > 1 ? { page } : {}),
    ...(typeof search === 'string' && search !== '' ? { search } : {}),
    ...(typeof kind === 'string' && kind !== '' ? { kind } : {}),
  }),
  loader: () => Promise.all([texts.load(), historyTexts.load(), kindTexts.load(), loadTableTexts()]),
  component: lazyRouteComponent(() => import('./bin.tsx'), 'Bin'),
});

/** Deleted records of all kinds, which can be restored. */
export const bin: Feature = {
  routes: [binRoute],
  navigation: [{ group: 'overview', title: { en: 'Bin', de: 'Papierkorb' }, icon: 'trash', path: 'bin' }],
  commands: [
    {
      title: { en: 'Restore a deleted record', de: 'Gelöschten Eintrag wiederherstellen' },
      icon: 'trash',
      keywords: { en: 'bin trash undelete recover', de: 'Papierkorb zurückholen rückgängig' },
      path: 'bin',
    },
  ],
};
