import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import test from 'node:test';
import { eventually } from '../../../../test/harness/poll.ts';
import { type Received, startReceiver } from '../../../../test/harness/receiver.ts';
import { createForm, submit } from '../../../../test/harness/sample-forms.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const { platform } = app.app;
const tenant = await app.createTenant();

const SECRET = 'sixteen letters!';
const BYTES = Buffer.from('bytes, not text: \xff\x00', 'latin1');
const ENCODED = `whsec_${BYTES.toString('base64')}`;

/** Creates a webhook of a new form, with its own receiver. */
async function connect(more: object = {}) {
  const form = await createForm(tenant.api);
  const receiver = await startReceiver();
  const event = { event_type: 'form.submission', form_code: form };
  const own = { name: 'CRM', target: { url: receiver.url } };
  const { id } = (await tenant.api.post('/api/webhooks', { event, ...own, ...more })).body;
  const put = (changed: object) => tenant.api.put(`/api/webhooks/${id}`, { ...own, ...changed });
  const deliver = async (): Promise<Received> => {
    const before = receiver.received.length;
    await submit(tenant.api, form);
    return eventually('a delivery', () => receiver.received[before]);
  };
  return { id, event, own, receiver, put, deliver };
}

/** Returns true if the headers contain a signature of the body with this key. */
function isSigned({ headers, text }: Received, key: string | Buffer): boolean {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
  const expected = createHmac('sha256', key).update(signed).digest('base64');
  return headers['webhook-signature'] === `v1,${expected}`;
}

for (const [kind, signing_secret, key] of [
  ['a text', SECRET, SECRET],
  ['a text beyond ASCII', 'sechzehn Zeichen ü', Buffer.from('sechzehn Zeichen ü')],
  ['bytes in base64', ENCODED, BYTES],
] as const) {
  test(`deliveries are signed with ${kind} according to Standard Webhooks`, async () => {
    const { deliver } = await connect({ signing_secret });
    const sent = await deliver();
    assert.ok(isSigned(sent, key));
    assert.equal(sent.headers['webhook-id'], sent.headers['tessera-delivery-id']);
    assert.ok(Math.abs(Number(sent.headers['webhook-timestamp']) - Date.now() / 1000) < 60);
  });
}

test('deliveries of a webhook without a secret carry no signature', async () => {
  const { deliver } = await connect();
  const { headers } = await deliver();
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    assert.equal(headers[name], undefined);
});

test('all attempts of a delivery have one webhook-id', async () => {
  const { receiver, deliver } = await connect({ signing_secret: SECRET });
  const statuses = [500, 200];
  receiver.answer = (_request, response) => response.writeHead(statuses.shift() ?? 200).end();
  await deliver();
  await eventually('the second attempt', () => receiver.received.length === 2);
  const [first, second] = receiver.received;
  assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id']);
  assert.ok(second && isSigned(second, SECRET));
});

test('a replace without a secret keeps it, another one replaces it, null removes it', async () => {
  const { put, deliver } = await connect({ signing_secret: SECRET });
  await put({});
  assert.ok(isSigned(await deliver(), SECRET));
  await put({ signing_secret: ENCODED });
  assert.ok(isSigned(await deliver(), BYTES));
  await put({ signing_secret: null });
  assert.equal((await deliver()).headers['webhook-signature'], undefined);
});

test('a secret is never returned, and is stored encrypted', async () => {
  const { id } = await connect({ signing_secret: SECRET });
  const history = `/api/entity/versions?entityType=webhook&entitySortKey=${id}`;
  for (const path of [`/api/webhooks/${id}`, '/api/webhooks', history]) {
    const { text } = await tenant.api.get(path);
    assert.doesNotMatch(text, /signing_secret/);
    assert.equal(text.includes(SECRET), false);
  }
  const row = await platform.database
    .everyTenant('tests')
    .query.selectFrom('webhooks')
    .select('signing_secret')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  assert.match(row.signing_secret ?? '', /^s1\./);
});

test('a test call is signed like a delivery', async () => {
  const { id, receiver } = await connect({ signing_secret: SECRET, test_data: { a: 1 } });
  assert.equal((await tenant.api.post(`/api/webhooks/${id}/test`, undefined)).body.success, true);
  const [sent] = receiver.received;
  assert.ok(sent && isSigned(sent, SECRET));
});

for (const [what, signing_secret] of [
  ['too short', 'fifteen letters'],
  ['too long', 'x'.repeat(501)],
  ['no base64 after whsec_', 'whsec_not base64 at all'],
  ['nothing after whsec_, however long', 'whsec_==========='],
  ['a number', 1234567890123456],
] as const) {
  test(`a secret that is ${what} is rejected by name`, async () => {
    const { id, event, own } = await connect();
    const body = { ...own, signing_secret };
    const answers = [
      await tenant.api.post('/api/webhooks', { event, ...body }, 400),
      await tenant.api.put(`/api/webhooks/${id}`, body, 400),
    ];
    for (const { body: response } of answers)
      assert.deepEqual(
        [response.code, ...response.issues.map(({ field }: { field: string }) => field)],
        ['INVALID_REQUEST', 'signing_secret'],
      );
  });
}

test('headers of the signature cannot be configured', async () => {
  const { event, own } = await connect();
  const headers = [{ name: 'Webhook-Signature', value: 'v1,forged' }];
  const body = { event, ...own, target: { ...own.target, headers } };
  const { issues } = (await tenant.api.post('/api/webhooks', body, 400)).body;
  assert.equal(issues[0].field, 'target.headers[0].name');
});

test('nothing is sent unsigned if the secret cannot be opened', async () => {
  const { id, event, receiver } = await connect({ signing_secret: SECRET });
  await platform.database
    .everyTenant('tests')
    .query.updateTable('webhooks')
    .set({ signing_secret: platform.secrets.seal(SECRET, randomUUID()) })
    .where('id', '=', id)
    .execute();
  await submit(tenant.api, event.form_code);
  const { last_error } = await eventually('the attempt', async () => {
    const [entry] = (await tenant.api.get(`/api/webhooks/${id}/deliveries`)).body.results;
    return entry?.attempts > 0 && entry;
  });
  assert.match(last_error, /SECRET_KEY has changed/);
  assert.deepEqual(receiver.received, []);
});
