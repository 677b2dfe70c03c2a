import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import test from 'node:test';
import { createMember } from '../../../../test/harness/members.ts';
import { startReceiver } from '../../../../test/harness/receiver.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const path = (name: string) => `/api/email_settings/event_webhooks/${encodeURIComponent(name)}/test`;

/** Creates a tenant with an event webhook. */
async function connect(webhook: object = {}) {
  const tenant = await app.createTenant();
  const receiver = await startReceiver();
  const entry = { name: 'CRM of Ä/B', target: receiver.url, events: ['click', 'open'], active: true };
  await tenant.api.patch('/api/email_settings', { event_webhooks: [{ ...entry, ...webhook }] });
  return { tenant, receiver, name: entry.name };
}

test('a test sends one signed sample event, and returns the answer without its signature', async () => {
  const secret = 'a secret of at least 16 characters';
  const { tenant, receiver, name } = await connect({ signing_secret: secret });
  receiver.answer = ({ headers }, response) =>
    response.writeHead(503).end(`no: ${headers['webhook-signature']}`);
  const { body } = await tenant.api.post(path(name), undefined);
  assert.deepEqual(body.data ?? body, {
    success: false,
    status_code: 503,
    response_body: 'no: [secret]',
    duration_ms: (body.data ?? body).duration_ms,
  });
  const [sent, ...others] = receiver.received;
  assert.deepEqual(others, []);
  const event = Object(sent?.body);
  assert.deepEqual([event.event, event.metadata.test, event.url], ['click', true, 'https://example.com/']);
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = sent?.headers ?? {};
  const text = `${id}.${at}.${JSON.stringify(sent?.body)}`;
  assert.equal(signature, `v1,${createHmac('sha256', secret).update(text).digest('base64')}`);
  const { body: deliveries } = await tenant.api.post('/api/deliveries/list', {
    page: 1,
    limit: 1,
    filters: {},
  });
  assert.equal(deliveries.total, 0);
});

test('an unknown name is not found, and only admins of the Default unit may test', async () => {
  const { tenant, name } = await connect();
  await tenant.api.post(path('Unknown'), undefined, 404);
  const editor = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'editor' }]);
  await editor.api.post(path(name), undefined, 403);
  const { api: outsider } = await app.createTenant();
  await outsider.post(path(name), undefined, 404);
});
