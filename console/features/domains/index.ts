import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../feature.ts';
import { tenantRoute } from '../../routes.ts';
import { texts } from './texts.ts';

/** Query parameters of the list of sending domains. */
export type DomainsSearch = { readonly new?: boolean };

/** The list of sending domains, with the drawer for a new one. */
export const domainsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'settings/domains',
  staticData: { screen: 'domains/domains', isTenantWide: true },
  validateSearch: (raw): DomainsSearch => (raw.new === true ? { new: true } : {}),
  loader: () => texts.load(),
  component: lazyRouteComponent(() => import('./domains.tsx'), 'Domains'),
});

/** One sending domain and its DNS records. */
export const domainRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'settings/domains/$domain',
  staticData: { screen: 'domains/domain', isTenantWide: true },
  loader: () => texts.load(),
  component: lazyRouteComponent(() => import('./domain.tsx'), 'DomainScreen'),
});

/** Sending domains: the domains of the addresses that mail comes from, and their DNS records. */
export const domains: Feature = {
  routes: [domainsRoute, domainRoute],
  records: [{ kind: 'sending_domain', pathOf: (domain) => `settings/domains/${domain}` }],
  navigation: [
    { group: 'settings', title: { en: 'Domains', de: 'Domains' }, icon: 'globe', path: 'settings/domains' },
  ],
  commands: [
    {
      title: { en: 'Add domain', de: 'Domain hinzufügen' },
      icon: 'plus',
      keywords: { en: 'dns dkim spf dmarc sending mail', de: 'DNS DKIM SPF DMARC Versand E-Mail' },
      path: 'settings/domains',
      search: { new: true },
    },
  ],
};
