/** The screens of the console as tests open them: each route, in each form that its query parameters give it. */
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { type ConsoleRoute, consoleRoutes } from './console-routes.ts';
import type { ConsoleSite } from './console-site.ts';

/** A placeholder of content that is loading, in any language. */
const PLACEHOLDER = '[role=status][data-shape], [role=grid][aria-busy=true]';

/** One form of a route. */
interface Form {
  readonly search?: (site: ConsoleSite) => Readonly<Record<string, string>>;
  /** Values of parameters in the path, besides the tenant. */
  readonly params?: (site: ConsoleSite) => Readonly<Record<string, string>>;
  /** Title of the drawer that is open. */
  readonly drawer?: string | RegExp;
  /** Name of the link or button that opens the drawer on the screen without query parameters. */
  readonly opener?: string | RegExp;
  /** True for the page that shows placeholders as such. */
  readonly isOfPlaceholders?: true;
}

const webhookOf = ({ webhookId }: ConsoleSite) => ({ webhookId });
const formOf = ({ formCode }: ConsoleSite) => ({ kind: 'form', key: formCode });
const subscriberOf = ({ subscriberId }: ConsoleSite) => ({ subscriberId });
const listOf = ({ listId }: ConsoleSite) => ({ listId });
const audienceOf = ({ audienceId }: ConsoleSite) => ({ audienceId });
const operationOf = ({ operationId }: ConsoleSite) => ({ operationId });
const deliveryOf = ({ deliveryId }: ConsoleSite) => ({ deliveryId });

/** The forms of each route. All query parameters of a route occur in one of them. */
const FORMS: Readonly<Record<string, readonly Form[]>> = {
  '': [{}],
  account: [{}],
  'account/security': [{}],
  't/$tenant': [{}],
  't/$tenant/activity': [
    {},
    { search: () => ({ filter: 'action is updated' }) },
    { search: () => ({ filter: 'gone is gone' }) },
  ],
  't/$tenant/activity/$kind/$key': [
    { params: formOf },
    { params: formOf, search: () => ({ version: '1' }) },
    { params: formOf, search: () => ({ version: '9' }) },
    { params: ({ deletedWebhookId }) => ({ kind: 'webhook', key: deletedWebhookId }) },
    { params: () => ({ kind: 'email_settings', key: 'email_settings' }) },
    { params: () => ({ kind: 'form', key: 'missing' }) },
    { params: () => ({ kind: 'gone', key: 'gone' }) },
  ],
  't/$tenant/operations': [
    {},
    { search: () => ({ filter: 'status is completed', sort: 'created_at' }) },
    { search: () => ({ columns: 'name,status', density: 'compact' }) },
    { search: () => ({ search: 'gone', filter: 'gone is gone' }) },
  ],
  't/$tenant/operations/$operationId': [
    { params: operationOf },
    { params: () => ({ operationId: randomUUID() }) },
  ],
  't/$tenant/search': [
    {},
    { search: () => ({ q: 'c' }) },
    { search: () => ({ q: 'matches nothing' }) },
    { search: ({ webhookId }) => ({ q: webhookId }) },
  ],
  't/$tenant/bin': [
    {},
    { search: () => ({ search: 'gone', page: '2' }) },
    { search: () => ({ kind: 'webhook' }) },
  ],
  't/$tenant/subscribers': [
    {},
    { search: () => ({ filter: 'active is false', sort: 'email' }) },
    { search: () => ({ columns: 'email,updated', density: 'compact' }) },
    { search: () => ({ search: 'matches nobody', filter: 'gone is gone' }) },
    { search: () => ({ new: 'true' }), drawer: 'Add a subscriber', opener: 'Add subscriber' },
  ],
  't/$tenant/subscribers/import': [{}],
  't/$tenant/subscribers/$subscriberId': [
    { params: subscriberOf },
    { params: subscriberOf, search: () => ({ edit: 'true' }), drawer: 'Edit subscriber', opener: 'Edit' },
    { params: subscriberOf, search: () => ({ history: 'true' }), drawer: 'History' },
    { params: subscriberOf, search: () => ({ history: '1' }), drawer: 'History' },
    { params: () => ({ subscriberId: randomUUID() }) },
  ],
  't/$tenant/subscribers/$subscriberId/timeline': [
    { params: subscriberOf },
    { params: subscriberOf, search: () => ({ show: 'changes' }) },
    { params: subscriberOf, search: () => ({ show: 'journeys' }) },
    { params: () => ({ subscriberId: randomUUID() }) },
  ],
  't/$tenant/subscribers/$subscriberId/reach': [
    { params: subscriberOf },
    { params: () => ({ subscriberId: randomUUID() }) },
  ],
  't/$tenant/subscribers/lists': [
    {},
    {
      search: () => ({
        filter: 'name contains C',
        sort: 'name',
        columns: 'name,updated',
        density: 'compact',
      }),
    },
    { search: () => ({ search: 'gone', filter: 'gone is gone' }) },
    { search: () => ({ new: 'true' }), drawer: 'Create a list', opener: 'Create list' },
  ],
  't/$tenant/subscribers/lists/$listId': [
    { params: listOf },
    { params: listOf, search: () => ({ edit: 'true' }), drawer: 'Edit list', opener: 'Edit' },
    { params: listOf, search: () => ({ history: 'true' }), drawer: 'History' },
    { params: listOf, search: () => ({ history: '1' }), drawer: 'History' },
    { params: () => ({ listId: randomUUID() }) },
  ],
  't/$tenant/subscribers/audiences': [
    {},
    {
      search: () => ({
        filter: 'name contains C',
        sort: 'name',
        columns: 'name,updated',
        density: 'compact',
      }),
    },
    { search: () => ({ search: 'gone', filter: 'gone is gone' }) },
    { search: () => ({ new: 'true' }), drawer: 'Create an audience', opener: 'Create audience' },
  ],
  't/$tenant/subscribers/audiences/$audienceId': [
    { params: audienceOf },
    { params: audienceOf, search: ({ subscriberId }) => ({ explain: subscriberId }) },
    { params: audienceOf, search: () => ({ edit: 'true' }), drawer: 'Edit audience', opener: 'Edit' },
    { params: audienceOf, search: () => ({ history: 'true' }), drawer: 'History' },
    { params: () => ({ audienceId: randomUUID() }) },
  ],
  't/$tenant/subscribers/suppressions': [
    {},
    { search: () => ({ filter: 'type is bounce', sort: 'recipient' }) },
    { search: () => ({ columns: 'recipient,type', density: 'compact' }) },
    { search: () => ({ search: 'matches nobody', filter: 'gone is gone' }) },
    { search: () => ({ new: 'true' }), drawer: 'Suppress an address', opener: 'Suppress address' },
    { search: () => ({ import: 'true' }), drawer: 'Import suppressions', opener: 'Import' },
  ],
  't/$tenant/connections/deliveries': [
    {},
    { search: () => ({ filter: 'status is failed', sort: 'created_at' }) },
    { search: () => ({ columns: 'webhook,kind,subject', density: 'compact' }) },
    { search: () => ({ search: 'gone', filter: 'gone is gone' }) },
  ],
  't/$tenant/connections/deliveries/$deliveryId': [
    { params: deliveryOf },
    { params: () => ({ deliveryId: randomUUID() }) },
  ],
  't/$tenant/connections/email-events': [
    {},
    { search: () => ({ new: 'true' }), drawer: 'Add an event webhook', opener: 'Add event webhook' },
    {
      search: ({ eventWebhook }) => ({ edit: eventWebhook }),
      drawer: 'Edit event webhook',
      opener: /^Warehouse/,
    },
  ],
  't/$tenant/connections/keys': [
    {},
    { search: () => ({ page: '2' }) },
    { search: () => ({ new: 'true' }), drawer: 'Create an API key', opener: 'Create key' },
  ],
  't/$tenant/connections/record-changes': [
    {},
    { search: () => ({ new: 'true' }), drawer: 'Add a record webhook', opener: 'Add record webhook' },
  ],
  't/$tenant/connections/webhooks': [
    {},
    {
      search: () => ({ sort: '-name', columns: 'name,created', density: 'compact' }),
    },
    { search: () => ({ search: 'gone', filter: 'gone is gone' }) },
    { search: () => ({ new: 'true' }), drawer: 'Create a webhook', opener: 'Create webhook' },
  ],
  't/$tenant/connections/webhooks/$webhookId': [
    { params: webhookOf },
    {
      params: webhookOf,
      search: () => ({ sort: 'created_at', columns: 'created,submission', density: 'compact' }),
    },
    { params: webhookOf, search: () => ({ search: 'gone', filter: 'gone is gone' }) },
    { params: webhookOf, search: () => ({ edit: 'true' }), drawer: 'Edit webhook', opener: 'Edit' },
    { params: webhookOf, search: () => ({ history: 'true' }), drawer: 'History' },
    { params: webhookOf, search: () => ({ history: '1' }), drawer: 'History' },
    { params: () => ({ webhookId: randomUUID() }) },
  ],
  't/$tenant/settings': [{}],
  't/$tenant/settings/units': [
    {},
    { search: () => ({ archived: 'true' }) },
    { search: () => ({ new: 'true' }), drawer: 'Create a business unit', opener: 'Create unit' },
    { search: ({ unitId }) => ({ edit: unitId }), drawer: /^Rename/, opener: 'Rename' },
  ],
  't/$tenant/settings/domains': [
    {},
    { search: () => ({ new: 'true' }), drawer: 'Add a domain', opener: 'Add domain' },
  ],
  't/$tenant/settings/domains/$domain': [
    { params: ({ newDomain }) => ({ domain: newDomain }) },
    { params: ({ verifiedDomain }) => ({ domain: verifiedDomain }) },
    { params: () => ({ domain: 'missing.example' }) },
  ],
  't/$tenant/settings/senders': [
    {},
    { search: () => ({ new: 'true' }), drawer: 'Add a sender', opener: 'Add sender' },
    { search: ({ sender }) => ({ edit: sender }), drawer: 'Edit sender', opener: /^News/ },
  ],
  't/$tenant/settings/subscriptions': [
    {},
    { search: ({ subscriptionType }) => ({ edit: subscriptionType }) },
  ],
  't/$tenant/settings/sandbox': [{}],
  't/$tenant/settings/members': [
    {},
    { search: () => ({ search: 'matches nobody' }) },
    {
      search: () => ({
        filter: 'status is active',
        sort: '-name',
        columns: 'name,status',
        density: 'compact',
      }),
    },
    { search: () => ({ filter: 'gone is gone', sort: 'gone', columns: 'name,gone' }) },
    { search: () => ({ invite: 'true' }), drawer: 'Invite a member', opener: 'Invite member' },
  ],
  't/$tenant/settings/members/$membershipId': [
    { params: ({ memberId }) => ({ membershipId: memberId }), drawer: /./ },
    { params: () => ({ membershipId: randomUUID() }), drawer: /./ },
  ],
  'dev/parts': [{ isOfPlaceholders: true }],
};

/** A screen as a test opens it. */
export interface Screen {
  /** Path and query below `/console/`. */
  readonly path: string;
  readonly route: ConsoleRoute;
  readonly drawer: string | RegExp | null;
  readonly isOfPlaceholders: boolean;
  readonly opener: string | RegExp | null;
}

/** Returns all screens of a site. @throws Error naming the route or parameter that has no form. */
export async function screensOf(site: ConsoleSite, tenant = site.tenant): Promise<Screen[]> {
  const routes = await consoleRoutes();
  const screens = routes.flatMap((route) =>
    formsOf(route).map((form) => toScreen(site, tenant.code, route, form)),
  );
  for (const { path, search } of routes)
    for (const name of search)
      if (!screens.some((screen) => screen.route.path === path && screen.path.includes(`${name}=`)))
        throw new Error(`FORMS has no form of the console's route "${path}" with the parameter "${name}".`);
  return screens;
}

function formsOf({ path }: ConsoleRoute): readonly Form[] {
  const forms = FORMS[path];
  if (forms === undefined) throw new Error(`FORMS has no form of the console's route "${path}": add one.`);
  return forms;
}

function toScreen(site: ConsoleSite, tenant: string, route: ConsoleRoute, form: Form): Screen {
  const params: Readonly<Record<string, string>> = { tenant, ...form.params?.(site) };
  const path = route.path.replaceAll(/\$(\w+)/g, (_, name) => params[name] ?? '');
  const search = new URLSearchParams(form.search?.(site)).toString();
  return {
    path: search === '' ? path : `${path}?${search}`,
    route,
    drawer: form.drawer ?? null,
    isOfPlaceholders: form.isOfPlaceholders ?? false,
    opener: form.opener ?? null,
  };
}

/** Opens a screen and waits until it has its heading, its drawer and no placeholders. */
export async function openScreen(page: Page, url: string, screen: Screen): Promise<void> {
  await page.goto(`${url}/console/${screen.path}`);
  await waitForScreen(page, screen);
}

/** Waits until a screen has its heading, its drawer and no placeholders. */
export async function waitForScreen(page: Page, { drawer, isOfPlaceholders }: Screen): Promise<void> {
  // An open drawer hides the heading from screen readers.
  await page.locator('h1').first().waitFor();
  if (isOfPlaceholders) return;
  await page.locator(PLACEHOLDER).first().waitFor({ state: 'detached' });
  if (drawer !== null) await page.getByRole('dialog', { name: drawer }).waitFor();
}

/** Returns true if the page does not scroll sideways. */
export function fitsWidth(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(
    'document.documentElement.scrollWidth <= document.documentElement.clientWidth',
  );
}
