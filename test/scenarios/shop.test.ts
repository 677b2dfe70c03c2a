/**
 * A shop with the fewest calls: entities with a workflow, a sign-up with double opt-in, a welcome journey, a mail for
 * paid orders and a campaign to those who paid. Every call is asserted to succeed at once, with no other preparation
 * than a verified domain.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { mailsTo } from '../harness/mail.ts';
import { signIn } from '../harness/members.ts';
import { eventually } from '../harness/poll.ts';
import { startRelay } from '../harness/relay.ts';
import { startTestApp } from '../harness/test-app.ts';

const ADA = 'ada@example.com';

const relay = await startRelay();
const app = await startTestApp({ SMTP_URL: relay.url });
const { api, code, ownerEmail } = await app.createTenant();
const domain = `${code}.example`;
const from = `shop@${domain}`;
const shop = await buildShop();

/** Defines the shop; returns functions to use it. */
async function buildShop() {
  const { bearer: owner } = await signIn(api, ownerEmail);
  await app.admin.post(`/admin/tenants/${code}/sending-domains`, { domain, verified: true });
  await defineEntities();
  const { id: listId } = (await api.post('/api/lists', { name: 'Newsletter' })).body;
  await createWelcomeJourney(listId);
  const form = (await api.post('/api/forms', signUpForm(listId))).body.code;
  const publicCode: string = (await api.get(`/api/forms/${form}`)).body.public_code;
  await createPaymentAutomation();
  return { person: owner, publicCode, campaignEmail: await createCampaign() };
}

async function defineEntities(): Promise<void> {
  const name = { name: 'name', type: 'string', required: true };
  const email = { name: 'email', type: 'string', required: true, unique: true };
  const states = ['new', 'paid', 'shipped'];
  await api.post('/api/entities', { name: 'product', fields: [name, { name: 'price', type: 'number' }] });
  await api.post('/api/entities', { name: 'customer', fields: [name, email] });
  await api.post('/api/entities', {
    name: 'order',
    fields: [
      { name: 'customer', type: 'relation', relation: { entity: 'customer', kind: 'belongs_to' } },
      { name: 'total', type: 'number' },
      { name: 'status', type: 'enum', enum: states },
    ],
    workflow: {
      field: 'status',
      initial: 'new',
      states,
      transitions: [
        { from: 'new', to: 'paid' },
        { from: 'paid', to: 'shipped' },
      ],
    },
  });
}

async function createWelcomeJourney(listId: string): Promise<void> {
  const template = { name: 'Welcome', from_email: from, transactional: false };
  const { id } = (await api.post('/api/templates', template)).body;
  await api.post(`/api/templates/${id}/versions`, {
    active: true,
    subject: 'Welcome, {{subscriber.first_name}}',
    html_content: '<p>Hello {{subscriber.first_name}}. <a href="{{unsubscribe_url}}">Unsubscribe</a></p>',
  });
  await api.post('/api/journeys', {
    name: 'Welcome',
    active: true,
    trigger: { type: 'list_joined', list_id: listId },
    steps: [{ key: 'hello', type: 'send_email', template_id: id }],
  });
}

function signUpForm(listId: string): object {
  const elements = [
    { type: 'text', name: 'email', inputType: 'email', isRequired: true },
    { type: 'text', name: 'first_name' },
  ];
  return {
    name: 'Sign up',
    form_type: 'embedded_form',
    active: true,
    allowed_origins: ['*'],
    formBuilderOptions: { pages: [{ name: 'you', elements }] },
    subscriber_mapping: { enabled: true, first_name: 'first_name', lists: [listId], double_opt_in: true },
  };
}

async function createPaymentAutomation(): Promise<void> {
  const mail = {
    to: '{{trigger.entity.customer.email}}',
    from,
    subject: 'Thank you, {{trigger.entity.customer.name}}',
    html: '<p>We got your payment of {{trigger.entity.total}}.</p>',
  };
  const mark = { email: '{{trigger.entity.customer.email}}', additional_fields_data: { has_paid: true } };
  await api.post('/api/automations', {
    key: 'order_paid',
    name: 'Order paid',
    app: 'shop',
    entityKey: 'order',
    triggerType: 'afterWorkflowMove',
    triggerParams: {},
    conditionalActions: [
      {
        condition: { combinator: 'and', rules: [{ field: 'status', operator: 'equals', value: 'paid' }] },
        actions: [
          { key: 'mail', name: 'Mail the customer', actionTypeKey: 'sendEmail', params: mail },
          { key: 'mark', name: 'Mark the subscriber', actionTypeKey: 'upsertSubscriber', params: mark },
        ],
      },
    ],
  });
}

/** Creates the campaign's email, ready to send to subscribers who paid; returns its path. */
async function createCampaign(): Promise<string> {
  const filters = { 'additional_fields_data.has_paid': { operation: 'eq', value: true } };
  const { id: audienceId } = (await api.post('/api/audiences', { name: 'Paid', filters })).body;
  const campaign = {
    code: 'TEA',
    name: 'Tea',
    colour: '#0f766e',
    start_date: '2026-03-01',
    audience: 'Paid',
  };
  await api.post('/api/campaigns', campaign);
  const { body } = await api.post('/api/campaigns/TEA/emails', {
    name: 'New teas',
    subject: 'New teas, {{subscriber.first_name}}',
    status: 'Ready',
    from_email: from,
    content: { html: '<p>New teas. <a href="{{unsubscribe_url}}">Unsubscribe</a></p>' },
    audience_ids: [audienceId],
  });
  return `/api/campaigns/TEA/emails/${body.id}`;
}

/** Waits for a mail to Ada with this subject; returns its HTML. */
function mailToAda(subject: RegExp): Promise<string> {
  return eventually(`the mail ${subject}`, async () => {
    const found = (await mailsTo(relay, ADA)).find((mail) => subject.test(mail.subject ?? ''));
    return found ? String(found.html) : null;
  });
}

test('a new subscriber gets the welcome mail once the subscription is confirmed', async () => {
  const form_data = { email: ADA, first_name: 'Ada' };
  await app.anonymous.post(`/embed/${shop.publicCode}/submissions`, { email_address: ADA, form_data });
  const [link = ''] = /https?:\S+\/confirm\/[\w.-]+/.exec(await mailToAda(/^Please confirm/)) ?? [];
  await app.anonymous.post(new URL(link).pathname, undefined);
  assert.match(await mailToAda(/^Welcome, Ada$/), /Hello Ada\./);
});

test('the customer of an order gets a mail when it is paid', async () => {
  const { person: owner } = shop;
  await owner.post('/api/product', { name: 'Tea', price: 4.5 });
  const { id: customer } = (await owner.post('/api/customer', { name: 'Ada', email: ADA })).body;
  const { id: order, status } = (await owner.post('/api/order', { customer, total: 9 })).body;
  assert.equal(status, 'new');
  await owner.post(`/api/order/${order}/workflow/move`, { to: 'paid' });
  assert.match(await mailToAda(/^Thank you, Ada$/), /your payment of 9\./);
});

test('a campaign reaches those who paid', async () => {
  await eventually('Ada in the audience', async () => {
    const { body } = await api.get(`${shop.campaignEmail}/preflight`);
    return body.recipients === 1 ? body : null;
  });
  await api.get(`${shop.campaignEmail}/process`);
  assert.match(await mailToAda(/^New teas, Ada$/), /New teas\./);
});
