import assert from 'node:assert/strict';
import test from 'node:test';
import { eventually } from '../../../../test/harness/poll.ts';
import { startReceiver } from '../../../../test/harness/receiver.ts';
import { createForm, submit } from '../../../../test/harness/sample-forms.ts';
import { createWebhook } from '../../../../test/harness/submission-load.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const app = await startTestApp();
const { query } = app.app.platform.database.everyTenant('tests');
const HOUR_MS = 60 * 60 * 1000;

test('a page says of each webhook how many deliveries succeeded and failed in the last 24 hours', async () => {
  const { api, tenantId } = await app.createTenant();
  const receiver = await startReceiver();
  const formCode = await createForm(api);
  const id = await createWebhook(api, formCode, receiver.url);
  const other = await createWebhook(api, await createForm(api), receiver.url);
  receiver.answer = (_request, response) =>
    response.writeHead(receiver.received.length % 3 === 0 ? 410 : 200).end();
  for (let n = 0; n < 4; n += 1) await submit(api, formCode);
  const figures = async () => {
    const { results } = (await api.get('/api/webhooks?limit=10')).body;
    return Object.fromEntries(
      results.map((webhook: { id: string; last_24h: object }) => [webhook.id, webhook.last_24h]),
    );
  };
  const expected = { [id]: { succeeded: 3, failed: 1 }, [other]: { succeeded: 0, failed: 0 } };
  await eventually('four deliveries', async () => (await figures())[id].succeeded === 3);
  assert.deepEqual(await figures(), expected);
  const { body } = await api.get('/api/webhooks?limit=10&fields=name');
  assert.equal(body.results[0].last_24h, undefined);

  const yesterday = new Date(Date.now() - 25 * HOUR_MS).toISOString();
  await query
    .updateTable('hourly_counts')
    .set({ hour: yesterday })
    .where('tenant_id', '=', tenantId)
    .execute();
  assert.deepEqual((await figures())[id], { succeeded: 0, failed: 0 });
});

test('a webhook by id has the name of its form and its figures only if the request asks for them', async () => {
  const { api } = await app.createTenant();
  const id = await createWebhook(api, await createForm(api, { name: 'Orders' }), 'https://a.example/');
  const { body: plain } = await api.get(`/api/webhooks/${id}`);
  assert.equal('form_name' in plain || 'last_24h' in plain, false);
  const { body } = await api.get(`/api/webhooks/${id}?figures=true`);
  assert.deepEqual(body, { ...plain, form_name: 'Orders', last_24h: { succeeded: 0, failed: 0 } });
  await api.get(`/api/webhooks/${id}?figures=maybe`, 400);
});

test('a page names the form of each webhook, unless it asks for other members only', async () => {
  const { api } = await app.createTenant();
  const orders = await createForm(api, { name: 'Orders' });
  const contact = await createForm(api, { name: 'Contact' });
  const ids = [
    await createWebhook(api, orders, 'https://a.example/'),
    await createWebhook(api, contact, 'https://b.example/'),
  ];
  const { results } = (await api.get('/api/webhooks?limit=10&sort=created_at')).body;
  const names = new Map(results.map((each: { id: string; form_name: string }) => [each.id, each.form_name]));
  assert.deepEqual(
    ids.map((id) => names.get(id)),
    ['Orders', 'Contact'],
  );
  const { body } = await api.get('/api/webhooks?limit=10&fields=id&fields=name');
  assert.deepEqual(Object.keys(body.results[0]), ['id', 'name']);
});
