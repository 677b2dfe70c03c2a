import assert from 'node:assert/strict';
import test from 'node:test';
import {
  automation,
  changeAutomation,
  endOfRun,
  FAILS,
  startRun,
} from '../../../test/harness/automations.ts';
import { createCampaign, createEmail, waitForStatus } from '../../../test/harness/campaigns.ts';
import type { Client } from '../../../test/harness/client.ts';
import { createSentMessage } from '../../../test/harness/email-messages.ts';
import { createMailTenant } from '../../../test/harness/mail.ts';
import { createMember, createUnit } from '../../../test/harness/members.ts';
import { eventually } from '../../../test/harness/poll.ts';
import { type Receiver, startReceiver } from '../../../test/harness/receiver.ts';
import { createRecordsTenant } from '../../../test/harness/records.ts';
import { createForm, submit } from '../../../test/harness/sample-forms.ts';
import { createWebhook } from '../../../test/harness/submission-load.ts';
import { startTestApp, type TestTenant } from '../../../test/harness/test-app.ts';
import { recordMessageEvents } from '../mail/email-tracking/index.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const app = await startTestApp();
const { platform } = app.app;
const DOMAINS = '/api/email_settings/sending_domains';

interface Item {
  readonly [member: string]: unknown;
}

const read = async (api: Client) => (await api.get('/api/overview')).body;

/** Waits until this many items need attention and no delivery is retried; returns the items. */
const attention = (api: Client, count: number) =>
  eventually(`${count} items that need attention`, async () => {
    const { attention: items, attention_total: total } = await read(api);
    return total === count && items.every(({ reason }: Item) => reason !== 'deliveries_retried') && items;
  });

function answerWith(receiver: Receiver, status: number): void {
  receiver.answer = (_request, response) => response.writeHead(status).end();
}

/** Creates a form with a webhook to a receiver that answers with a status. */
async function connect({ api }: Pick<TestTenant, 'api'>, status: number, form: object = {}) {
  const receiver = await startReceiver();
  answerWith(receiver, status);
  const formCode = await createForm(api, form);
  return { formCode, receiver, id: await createWebhook(api, formCode, receiver.url) };
}

test('nothing needs attention in a new tenant, and its owner sees which first steps are open', async () => {
  const { api } = await app.createTenant();
  const { today, ...overview } = await read(api);
  assert.deepEqual(overview, {
    attention: [],
    attention_total: 0,
    running: [],
    setup: { members: false, api_keys: true },
  });
  assert.deepEqual(today.deliveries, { value: 0, usual: [] });
});

test('a webhook needs attention after failed deliveries, until one succeeds', async () => {
  const tenant = await app.createTenant();
  const { formCode, receiver, id } = await connect(tenant, 500);
  await submit(tenant.api, formCode);
  const [item] = await attention(tenant.api, 1);
  assert.deepEqual(item, {
    entity_type: 'webhook',
    key: id,
    title: 'Receiver',
    severity: 'error',
    reason: 'deliveries_failed',
    since: item.since,
    count: 1,
    business_unit: tenant.defaultUnitId,
  });
  answerWith(receiver, 410);
  await submit(tenant.api, formCode);
  const [later] = await eventually('the second failure', async () => {
    const { attention: items } = await read(tenant.api);
    return items[0]?.count === 2 && items;
  });
  assert.equal(later.since, item.since);
  answerWith(receiver, 200);
  await submit(tenant.api, formCode);
  await attention(tenant.api, 0);
  const { today } = await read(tenant.api);
  assert.deepEqual([today.deliveries.value, today.failed_deliveries.value], [1, 2]);
});

test('a webhook needs attention while a delivery is retried, from the third failed attempt', async () => {
  const tenant = await app.createTenant();
  const { formCode, receiver } = await connect(tenant, 500);
  let calls = 0;
  const third = Promise.withResolvers<void>();
  const noted = Promise.withResolvers<void>();
  receiver.answer = async (_request, response) => {
    calls += 1;
    if (calls === 4) {
      third.resolve();
      await noted.promise;
    }
    response.writeHead(calls === 4 ? 200 : 500).end();
  };
  await submit(tenant.api, formCode);
  await third.promise;
  const { attention: items } = await read(tenant.api);
  assert.deepEqual(
    items.map(({ severity, reason, count }: Item) => [severity, reason, count]),
    [['warning', 'deliveries_retried', 3]],
  );
  noted.resolve();
  await attention(tenant.api, 0);
});

test('a paused webhook does not need attention', async () => {
  const tenant = await app.createTenant();
  const { formCode, receiver, id } = await connect(tenant, 410);
  await submit(tenant.api, formCode);
  await attention(tenant.api, 1);
  const pause = { name: 'Receiver', active: false, target: { url: receiver.url } };
  await tenant.api.put(`/api/webhooks/${id}`, pause);
  await attention(tenant.api, 0);
});

test('webhooks of email events and of records need attention like those of forms', async () => {
  const order = { name: 'order', fields: [{ name: 'total', type: 'number' }] };
  const { owner, ...tenant } = await createRecordsTenant(app, [order]);
  const receiver = await startReceiver();
  answerWith(receiver, 410);
  const hook = { url: receiver.url, events: ['order.created'], secret: 'a secret of records' };
  await owner.post('/api/webhooks', hook);
  await owner.post('/api/order', { total: 1 });
  const target = { target: receiver.url, events: ['open'], active: true };
  await tenant.api.patch('/api/email_settings', { event_webhooks: [{ name: 'Events', ...target }] });
  const { tenantId, messageId } = await createSentMessage(app, tenant);
  await recordMessageEvents(platform, [{ tenantId, messageId, type: 'open', occurredAt: new Date() }]);
  const items = await attention(tenant.api, 2);
  const shown = items.map((item: Item) => [item.entity_type, item.title, item.reason, item.count]);
  assert.deepEqual(shown.sort(), [
    ['email_event_webhook', 'Events', 'deliveries_failed', 1],
    ['entity_webhook', receiver.url, 'deliveries_failed', 1],
  ]);
  answerWith(receiver, 200);
  await owner.post('/api/order', { total: 2 });
  await recordMessageEvents(platform, [{ tenantId, messageId, type: 'open', occurredAt: new Date() }]);
  await attention(tenant.api, 0);
});

test('a domain needs attention until it is verified, and again when it is not any more', async () => {
  const { api, code } = await app.createTenant();
  const { body } = await api.post(DOMAINS, { domain: 'shop.example' });
  const [item] = await attention(api, 1);
  const shown = { entity_type: 'sending_domain', key: 'shop.example', title: 'shop.example', count: null };
  assert.deepEqual(item, {
    ...shown,
    severity: 'warning',
    reason: 'domain_unverified',
    since: body.creation_time,
    business_unit: null,
  });
  const vouch = (verified: boolean) =>
    app.admin.post(`/admin/tenants/${code}/sending-domains`, { domain: 'shop.example', verified });
  await vouch(true);
  await attention(api, 0);
  await vouch(false);
  const [lost] = await attention(api, 1);
  assert.deepEqual([lost.severity, lost.reason], ['error', 'domain_lost']);
  assert.ok(lost.since > item.since);
  await api.delete(`${DOMAINS}/shop.example`);
  await attention(api, 0);
});

test('an automation needs attention after a failed run, until it is switched off', async () => {
  const { api } = await app.createTenant();
  await api.post('/api/automations', automation('orders', [FAILS]));
  for (let n = 0; n < 2; n += 1) await endOfRun(api, 'orders', await startRun(api, 'orders'));
  const [item] = await eventually('two failed runs', async () => {
    const { attention: items } = await read(api);
    return items[0]?.count === 2 && items;
  });
  const { severity, reason, business_unit } = item;
  assert.deepEqual([item.entity_type, item.key, item.title], ['automation', 'orders', 'orders']);
  assert.deepEqual([severity, reason, business_unit], ['warning', 'runs_failed', null]);
  assert.equal(Date.parse(item.since) % 3_600_000, 0);
  await changeAutomation(api, 'orders', { active: false });
  await attention(api, 0);
});

test('a scheduled email that could not be sent needs attention, one that a member cancelled does not', async () => {
  const tenant = await createMailTenant(app);
  const code = await createCampaign(tenant);
  const due = { status: 'Scheduled', sent_date: '2020-01-01T00:00:00Z' };
  const late = await createEmail(tenant, code, due);
  await waitForStatus(tenant, late.path, 'Cancelled');
  const ready = await createEmail(tenant, code, { ...due, sent_date: '2100-01-01T00:00:00Z' });
  await tenant.api.post(`${ready.path}/cancel`, undefined);
  const [item] = await attention(tenant.api, 1);
  assert.deepEqual(
    [item.entity_type, item.key, item.title, item.severity, item.reason],
    ['marketing_email', late.id, 'First', 'error', 'email_not_sent'],
  );
  await tenant.api.delete(late.path);
  await attention(tenant.api, 0);
});

test('a member sees what needs attention in its units, and nobody what belongs to another tenant', async () => {
  const tenant = await app.createTenant();
  const north = await createUnit(tenant, 'North');
  const [own, other] = [await connect(tenant, 410, { business_unit: north }), await connect(tenant, 410)];
  for (const { formCode } of [own, other]) await submit(tenant.api, formCode);
  await attention(tenant.api, 2);
  const { api: viewer } = await createMember(tenant, [{ bu_id: north, role: 'viewer' }]);
  const [item] = await attention(viewer, 1);
  assert.equal(item.key, own.id);
  const { today, setup } = await read(viewer);
  assert.deepEqual([today.deliveries, setup], [undefined, {}]);
  const { api: withoutUnits } = await createMember(tenant, []);
  await attention(withoutUnits, 0);
  const { api: outsider } = await app.createTenant();
  await attention(outsider, 0);
});

test('the overview has at most 20 items of a kind, errors first, and the number of all', async () => {
  const { api } = await app.createTenant();
  const tenant = { api };
  const { formCode, receiver } = await connect(tenant, 410);
  await Promise.all(Array.from({ length: 24 }, () => createWebhook(api, formCode, receiver.url)));
  await api.post(DOMAINS, { domain: 'shop.example' });
  await submit(api, formCode);
  const items = await attention(api, 26);
  assert.equal(items.length, 21);
  assert.equal(items.at(-1).severity, 'warning');
});
