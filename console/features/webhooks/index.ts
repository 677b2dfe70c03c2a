import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { draftTexts } from '../../drafts/texts.ts';
import type { Feature } from '../../feature.ts';
import { type HistorySearch, readHistorySearch } from '../../history/history-search.ts';
import { historyTexts } from '../../history/texts.ts';
import { tenantRoute } from '../../routes.ts';
import { loadTableTexts } from '../../table/load-texts.ts';
import { readTableSearch, type TableSearch } from '../../table/table-search.ts';
import { webhookTestTexts } from '../../webhook-tests/texts.ts';
import { texts } from './texts.ts';
import { webhookFields } from './webhook-draft.ts';

/** Query parameters of the list of webhooks. */
export type WebhooksSearch = TableSearch & { readonly new?: boolean };

/** Query parameters of a webhook with its deliveries. */
export type WebhookSearch = TableSearch & HistorySearch & { readonly edit?: boolean };

const loader = () => Promise.all([texts.load(), loadTableTexts(), draftTexts.load()]);

/** The list of webhooks, with the drawer for a new one. */
export const webhooksRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'connections/webhooks',
  staticData: { screen: 'webhooks/webhooks' },
  validateSearch: (raw): WebhooksSearch => ({
    ...readTableSearch(raw),
    ...(raw.new === true ? { new: true } : {}),
  }),
  loader,
  component: lazyRouteComponent(() => import('./webhooks.tsx'), 'Webhooks'),
});

/** One webhook and its deliveries, with the drawer that changes it. */
export const webhookRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'connections/webhooks/$webhookId',
  staticData: { screen: 'webhooks/webhook' },
  validateSearch: (raw): WebhookSearch => ({
    ...readTableSearch(raw),
    ...readHistorySearch(raw),
    ...(raw.edit === true ? { edit: true } : {}),
  }),
  loader: () => Promise.all([loader(), historyTexts.load(), webhookTestTexts.load()]),
  component: lazyRouteComponent(() => import('./webhook.tsx'), 'WebhookScreen'),
});

/** Webhooks, which send the submissions of a form to another system. */
export const webhooks: Feature = {
  routes: [webhooksRoute, webhookRoute],
  records: [
    {
      kind: 'webhook',
      pathOf: (id) => `connections/webhooks/${id}`,
      hasHistory: true,
      loadFields: async () => {
        await texts.load();
        return webhookFields();
      },
    },
  ],
  navigation: [
    {
      group: 'connections',
      title: { en: 'Webhooks', de: 'Webhooks' },
      icon: 'send',
      path: 'connections/webhooks',
    },
  ],
  commands: [
    {
      title: { en: 'Create webhook', de: 'Webhook anlegen' },
      icon: 'plus',
      keywords: { en: 'hook integration callback url', de: 'Hook Integration Callback URL' },
      path: 'connections/webhooks',
      search: { new: true },
    },
  ],
};
