/** Tenants with a record of every kind that the console shows, and members of every role. */
import { type BrowserUser, signInBrowser } from './browser-session.ts';
import { createMember, createUnit } from './members.ts';
import { eventually } from './poll.ts';
import { createForm, submit } from './sample-forms.ts';
import { createTenant, PASSWORD, type TestApp, type TestTenant } from './test-app.ts';

/** Roles in the console: an owner, or a role in a business unit. */
export const ROLES = ['viewer', 'editor', 'admin', 'owner'] as const;
/** A role in the console. */
export type Role = (typeof ROLES)[number];

/** Sample tenants and users of the console. */
export interface ConsoleSite {
  readonly tenant: TestTenant;
  /** A tenant of the same owner that has nothing. */
  readonly empty: TestTenant;
  /** An address by role. */
  readonly emails: Readonly<Record<Role, string>>;
  readonly memberId: string;
  readonly unitId: string;
  readonly webhookId: string;
  /** A webhook that was deleted. */
  readonly deletedWebhookId: string;
  /** A form with two versions. */
  readonly formCode: string;
  /** A delivery of the webhook, with failed attempts. */
  readonly deliveryId: string;
  /** A sending domain whose DNS records were not found. */
  readonly newDomain: string;
  readonly verifiedDomain: string;
  /** Address of a sender at the verified domain. */
  readonly sender: string;
  /** Name of an event webhook. */
  readonly eventWebhook: string;
  /** Id of a subscription type. */
  readonly subscriptionType: string;
  /** An import that has ended, with a row that failed. */
  readonly operationId: string;
  /** A subscriber with two versions, in a list. */
  readonly subscriberId: string;
  /** A list with two versions. */
  readonly listId: string;
  /** An audience with conditions in all groups. */
  readonly audienceId: string;
}

/** Creates a site in which `nameOf` makes every text that users can set. Each kind of record belongs here. */
export async function createConsoleSite(
  app: Pick<TestApp, 'url' | 'admin' | 'anonymous'>,
  nameOf: (name: string) => string = (name) => name,
): Promise<ConsoleSite> {
  const create = () => createTenant(app.url, app.admin);
  const [tenant, empty] = [await create(), await create()];
  const { api, ownerEmail } = tenant;
  await app.admin.put(`/admin/tenants/${tenant.code}`, { name: nameOf('Tenant') });
  await createMember(empty, [], { email: ownerEmail, is_tenant_admin: true });
  const owner = await signInBrowser(app.anonymous, ownerEmail);
  await owner.page.put('/auth/profile', { name: nameOf('Owner') });
  const unitId = await createUnit(tenant, nameOf('North'));
  const archived = await createUnit(tenant, nameOf('Closed'));
  await api.post(`/api/client/v1/business-units/${archived}/archive`, undefined);
  const join = (role: 'viewer' | 'editor' | 'admin') =>
    createMember(tenant, [{ bu_id: unitId, role }], { name: nameOf(role) });
  const [viewer, editor, admin] = [await join('viewer'), await join('editor'), await join('admin')];
  await createMembersInOtherStates(tenant, nameOf);
  const keyOfEditor = (name: string) =>
    api.post('/api/client/v1/api-keys', { name: nameOf(name), membership_id: editor.membershipId });
  const { body: revoked } = await keyOfEditor('Old shop');
  await api.delete(`/api/client/v1/api-keys/${revoked.id}`);
  await keyOfEditor('Shop');
  const hooks = await createWebhooks(tenant, nameOf);
  const domains = await createDomains(app, tenant);
  const sender = await createSenders(app, tenant, domains, nameOf);
  const subscriptionType = await createSubscriptionTypes(tenant, nameOf);
  const eventWebhook = await createEventWebhooks(tenant, nameOf);
  await createRecordWebhook(tenant, owner, nameOf);
  const operationId = await createImport(tenant, nameOf);
  const people = await createSubscribers(tenant, nameOf);
  await createSuppressions(tenant, nameOf);
  return {
    tenant,
    empty,
    emails: { viewer: viewer.email, editor: editor.email, admin: admin.email, owner: ownerEmail },
    memberId: editor.membershipId,
    unitId,
    ...hooks,
    ...domains,
    sender,
    eventWebhook,
    subscriptionType,
    operationId,
    ...people,
  };
}

/** Creates an event webhook, and a paused one. Returns the name of the first. */
async function createEventWebhooks({ api }: TestTenant, nameOf: (name: string) => string): Promise<string> {
  const name = nameOf('Warehouse');
  const target = 'http://127.0.0.1:9/events';
  await api.patch('/api/email_settings', {
    event_webhooks: [
      { name, target, events: ['delivery', 'bounce', 'open'], active: true },
      { name: nameOf('Archive'), target, events: [], active: false },
    ],
  });
  return name;
}

/** Creates two entities, and a webhook for changes of the first. */
async function createRecordWebhook(
  { api, code }: TestTenant,
  { page }: BrowserUser,
  nameOf: (name: string) => string,
): Promise<void> {
  const fields = [{ name: 'total', type: 'number' }];
  await api.post('/api/entities', { name: 'order', label: nameOf('Order'), fields });
  await api.post('/api/entities', { name: 'customer', label: nameOf('Customer'), fields });
  const records = page.with({ 'x-tenant': code, 'x-tessera-surface': 'records' });
  const events = ['order.created', 'order.updated'];
  const url = 'http://127.0.0.1:9/a-long-path-of-the-shop/orders-and-other-records';
  await records.post('/api/webhooks', { url, events, secret: 'only the receiver knows' });
}

/** Imports subscribers to a list; a row fails. Returns the id of the operation when it has ended. */
async function createImport({ api }: TestTenant, nameOf: (name: string) => string): Promise<string> {
  const { id: listId } = (await api.post('/api/lists', { name: nameOf('News') })).body;
  const options = {
    rawBody: 'email,first_name\nada@shop.example,Ada\nnobody,Bob\n',
    headers: { 'content-type': 'text/csv' },
  };
  const path = `/api/subscribers/import?mode=upsert&list_id=${listId}`;
  const { import_id: id } = (await api.post(path, undefined, 200, options)).body;
  const hasEnded = async () => (await api.get(`/api/operations/${id}`)).body.status === 'completed';
  await eventually('the import to end', hasEnded);
  return id;
}

/** Creates a list and two of its subscribers: an inactive one, and one with two versions. Returns the second. */
async function createSubscribers(
  { api }: TestTenant,
  nameOf: (name: string) => string,
): Promise<Pick<ConsoleSite, 'subscriberId' | 'listId' | 'audienceId'>> {
  await api.patch('/api/email_settings', {
    subscriber_additional_fields: {
      city: { label: nameOf('City'), type: 'text', order: 1 },
      orders: { label: nameOf('Orders'), type: 'number', order: 2 },
      vip: { label: nameOf('VIP'), type: 'boolean', order: 3 },
    },
  });
  const { id: listId } = (await api.post('/api/lists', { name: nameOf('Customers') })).body;
  await api.patch(`/api/lists/${listId}`, { description: nameOf('Who bought something') });
  const ofList = { lists: { operation: 'eq', value: listId } };
  await api.post('/api/audiences', { name: nameOf('Buyers'), filters: ofList });
  const person = { last_name: nameOf('Hopper'), audiences: [], lists: [listId] };
  await api.post('/api/subscribers', {
    ...person,
    first_name: nameOf('Alan'),
    email: 'alan@shop.example',
    active: false,
    inactive_reason: nameOf('Asked by phone'),
  });
  const grace = await api.post('/api/subscribers', {
    ...person,
    first_name: nameOf('Grace'),
    email: 'grace@shop.example',
    active: true,
    additional_fields_data: { city: nameOf('London'), orders: 1234.5, vip: true, old_id: nameOf('A7') },
  });
  const leaving = [{ subscription_type_id: 'Offers', subscribe: false }];
  await api.patch(`/api/subscribers/${grace.body.id}`, {
    last_name: nameOf('Murray'),
    subscription_updates: leaving,
  });
  await api.post('/api/email_settings/suppressions', {
    recipient: 'grace@shop.example',
    type: 'bounce',
    description: nameOf('550 unknown'),
  });
  const is = (value: unknown) => ({ operation: 'eq', value });
  const audience = await api.post('/api/audiences', {
    name: nameOf('Readers in London'),
    description: nameOf('Who may come to the shop'),
    filters: {
      engagement: { opened_since_days: 90 },
      lists: is(listId),
      any: [
        { 'additional_fields_data.city': is(nameOf('London')) },
        { 'additional_fields_data.vip': is(true) },
      ],
      none: [{ active: is(false) }],
    },
  });
  return { subscriberId: grace.body.id, listId, audienceId: audience.body.id };
}

/** Suppresses an address of each cause. */
async function createSuppressions({ api }: TestTenant, nameOf: (name: string) => string): Promise<void> {
  for (const type of ['unsubscribe', 'bounce', 'complaint'])
    await api.post('/api/email_settings/suppressions', {
      recipient: `${type}@shop.example`,
      type,
      description: nameOf('Asked by phone'),
    });
}

/** Creates a sending domain with a long name, and one that the operator vouches for. */
async function createDomains(
  { admin }: Pick<TestApp, 'admin'>,
  { api, code }: TestTenant,
): Promise<Pick<ConsoleSite, 'newDomain' | 'verifiedDomain'>> {
  const [newDomain, verifiedDomain] = [`${'news'.repeat(15)}.${'shop'.repeat(15)}.example`, 'shop.example'];
  await api.post('/api/email_settings/sending_domains', { domain: newDomain });
  await admin.post(`/admin/tenants/${code}/sending-domains`, { domain: verifiedDomain, verified: true });
  return { newDomain, verifiedDomain };
}

/** Creates two senders that can send, and one that cannot any more. Returns the address of the second. */
async function createSenders(
  { admin }: Pick<TestApp, 'admin'>,
  { api, code }: TestTenant,
  { newDomain, verifiedDomain }: Pick<ConsoleSite, 'newDomain' | 'verifiedDomain'>,
  nameOf: (name: string) => string,
): Promise<string> {
  const vouch = (verified: boolean) =>
    admin.post(`/admin/tenants/${code}/sending-domains`, { domain: newDomain, verified });
  const sender = `news@${verifiedDomain}`;
  const identity = (name: string, from_email_address: string, reply_to = '') => ({
    from_name: nameOf(name),
    from_email_address,
    reply_to,
    nickname: '',
  });
  const sender_identities = [
    identity('Shop', `shop@${verifiedDomain}`),
    identity('News', sender, `editors@${verifiedDomain}`),
    identity('Closed', `closed@${newDomain}`),
  ];
  await vouch(true);
  await api.patch('/api/email_settings', { sender_identities });
  await vouch(false);
  return sender;
}

/** Creates subscription types, one of them inactive, and rules of the sandbox. Returns the id of the first type. */
async function createSubscriptionTypes(
  { api }: TestTenant,
  nameOf: (name: string) => string,
): Promise<string> {
  const type = (id: string, description: string, active = true) => ({
    id,
    name: nameOf(id),
    description: description === '' ? '' : nameOf(description),
    active,
  });
  await api.patch('/api/email_settings', {
    subscription_types: [
      type('News', 'Once a month'),
      type('Offers', ''),
      type('Old', 'No longer sent', false),
    ],
    whitelist_recipient_rules: [
      { email_address: 'ada@shop.example', active: true },
      { domain_name: 'test.example', active: false },
    ],
  });
  return 'News';
}

/** Creates a form with two versions, a paused and a deleted webhook, and one with two versions and a delivery. */
async function createWebhooks(
  { api }: TestTenant,
  nameOf: (name: string) => string,
): Promise<Pick<ConsoleSite, 'webhookId' | 'deletedWebhookId' | 'formCode' | 'deliveryId'>> {
  const formCode = await createForm(api, { name: nameOf('Contact') });
  const create = async (name: string, more: object) => {
    const target = { url: 'http://127.0.0.1:9/crm', headers: [{ name: 'X-Source', value: 'form' }] };
    const event = { event_type: 'form.submission', form_code: formCode };
    return (await api.post('/api/webhooks', { name: nameOf(name), event, target, ...more })).body.id;
  };
  await create('Paused', { active: false });
  await api.patch(`/api/forms/${formCode}`, { name: nameOf('Question') });
  const deletedWebhookId = await create('Old shop', {});
  await api.delete(`/api/webhooks/${deletedWebhookId}`);
  const webhookId = await create('CMS', {});
  await api.patch(`/api/webhooks/${webhookId}`, { name: nameOf('CRM') });
  await submit(api, formCode);
  const deliveries = await api.get(`/api/webhooks/${webhookId}/deliveries`);
  return { webhookId, deletedWebhookId, formCode, deliveryId: deliveries.body.results[0].id };
}

async function createMembersInOtherStates(
  { api, code }: TestTenant,
  nameOf: (name: string) => string,
): Promise<void> {
  const create = async (name: string, more: object) => {
    const email = `${name.toLowerCase()}@${code}.test`;
    return (await api.post('/api/client/v1/memberships', { email, name: nameOf(name), ...more })).body;
  };
  await create('Invited', { invite: true });
  const { membership_id } = await create('Inactive', { password: PASSWORD });
  await api.patch(`/api/client/v1/memberships/${membership_id}`, { status: 'inactive' });
}
