import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import test from 'node:test';
import { startReceiver } from '../../test/harness/receiver.ts';
import { createForm } from '../../test/harness/sample-forms.ts';
import { startTestApp } from '../../test/harness/test-app.ts';
import { Tessera, verifyRecordWebhook, verifyWebhook, WebhookVerificationError } from './index.ts';

const SECRET = 'a secret of sixteen or more';
const app = await startTestApp();

function sign(secret: string | Buffer, body: string, timestamp = Math.floor(Date.now() / 1000)) {
  const signature = createHmac('sha256', secret).update(`m1.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': 'm1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  };
}

test('a webhook that the server sends is verified', async () => {
  const tenant = await app.createTenant();
  const receiver = await startReceiver();
  const tessera = new Tessera({ url: app.url, apiKey: tenant.apiKey });
  const formCode = await createForm(tenant.api);
  const { id } = await tessera.webhooks.create({
    name: 'CRM',
    event: { event_type: 'form.submission', form_code: formCode },
    target: { url: receiver.url },
    signing_secret: SECRET,
  });
  await tessera.webhooks.test(id);
  const [received] = receiver.received;
  assert.ok(received);
  const { headers, text: body } = received;
  assert.ok(await verifyWebhook({ headers, body, secret: SECRET }));
  await assert.rejects(verifyWebhook({ headers, body, secret: 'another secret' }), WebhookVerificationError);
});

test('one of several signatures is enough, and base64 secrets are decoded', async () => {
  const key = Buffer.from('0123456789abcdef');
  const headers = sign(key, '{}');
  headers['webhook-signature'] = `v1a,x v1,AAAA ${headers['webhook-signature']}`;
  const secret = `whsec_${key.toString('base64')}`;
  assert.deepEqual(await verifyWebhook({ body: '{}', headers: new Headers(headers), secret }), {});
});

for (const [what, headers, body] of [
  ['an old webhook', sign(SECRET, '{}', Math.floor(Date.now() / 1000) - 301), '{}'],
  ['a webhook without a time', { ...sign(SECRET, '{}'), 'webhook-timestamp': 'soon' }, '{}'],
  ['a changed body', sign(SECRET, '{}'), '{"a":1}'],
  ['a webhook without a signature', { 'webhook-id': 'm1', 'webhook-timestamp': '1' }, '{}'],
  ['a signature that is not base64', { ...sign(SECRET, '{}'), 'webhook-signature': 'v1,%%%' }, '{}'],
] as const)
  test(`${what} is refused`, async () => {
    await assert.rejects(verifyWebhook({ body, headers, secret: SECRET }), WebhookVerificationError);
  });

test('a webhook of records is verified by its last member, whatever its numbers', async () => {
  const payload = '{"event":"order.created","data":{"total":12345678901234567890}}';
  const signature = createHmac('sha256', SECRET).update(payload).digest('hex');
  const body = `${payload.slice(0, -1)},"signature":"sha256=${signature}"}`;
  assert.ok(await verifyRecordWebhook({ body, secret: SECRET }));
  const forged = body.replace('created', 'deleted');
  await assert.rejects(verifyRecordWebhook({ body: forged, secret: SECRET }), WebhookVerificationError);
  await assert.rejects(verifyRecordWebhook({ body: payload, secret: SECRET }), WebhookVerificationError);
});
