/** Webhook URLs that target internal addresses are rejected on save, and no request leaves. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { startReceiver } from '../harness/receiver.ts';
import { createForm } from '../harness/sample-forms.ts';
import { startTestApp } from '../harness/test-app.ts';
import { acceptBefore } from './survivors.ts';

export const runsOn = ['embedded'];
export const neverRunsOn = ['cluster'];

const app = await startTestApp({ OUTBOUND_ALLOW_PRIVATE: 'false' });
const receiver = await startReceiver();
const tenant = await app.createTenant();
const { api } = tenant;
const checkSurvivors = await acceptBefore(app, tenant);
const formCode = await createForm(api);
const { port } = receiver;

const INSIDE = [
  `http://127.0.0.1:${port}/`,
  `http://127.1:${port}/`,
  `http://2130706433:${port}/`,
  `http://0x7f000001:${port}/`,
  `http://0x7f.1:${port}/`,
  `http://0177.0.0.1:${port}/`,
  `http://127.0.0.1.:${port}/`,
  `http://１２７.０.０.１:${port}/`,
  `http://127。0。0。1:${port}/`,
  `http://0:${port}/`,
  `http://0.0.0.0:${port}/`,
  `http://localhost:${port}/`,
  `http://[::1]:${port}/`,
  `http://[::]:${port}/`,
  `http://[0:0:0:0:0:0:0:1]:${port}/`,
  `http://[::ffff:127.0.0.1]:${port}/`,
  `http://[::ffff:7f00:1]:${port}/`,
  `http://[::127.0.0.1]:${port}/`,
  `http://[64:ff9b::127.0.0.1]:${port}/`,
  `http://[64:ff9b:1::7f00:1]:${port}/`,
  `http://[2002:7f00:1::]:${port}/`,
  `http://[fe80::1]:${port}/`,
  `http://[fd00::1]:${port}/`,
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.1.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[fd00:ec2::254]/latest/meta-data/',
  'http://[::ffff:169.254.169.254]/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
];

const NO_TARGETS = [
  `http://user:secret@127.0.0.1:${port}/`,
  'https://user@example.com/',
  'https://:secret@example.com/',
  'file:///etc/passwd',
  'gopher://127.0.0.1/',
  'javascript:alert(1)',
  'data:text/plain,x',
  'ftp://example.com/',
  'http://',
  'http:// /',
  'http://[::1',
  'http://exa mple.com/',
  'http://1.2.3.4.5.6:99999/',
  '//example.com/',
  'example.com',
];

function webhook(url: string): object {
  return { event: { event_type: 'form.submission', form_code: formCode }, name: 'Hook', target: { url } };
}

for (const url of [...INSIDE, ...NO_TARGETS]) {
  test(`${url.replace(`:${port}`, '')} is rejected as a webhook URL`, async () => {
    const answer = await api.post('/api/webhooks', webhook(url), 400);
    assert.equal(answer.body.code, 'INVALID_REQUEST');
    assert.deepEqual(
      answer.body.issues.map(({ field }: { field: string }) => field),
      ['target.url'],
    );
  });
}

test('a webhook cannot be changed to an internal URL and keeps its own', async () => {
  const { id } = (await api.post('/api/webhooks', webhook('https://hooks.invalid/a'))).body;
  for (const url of INSIDE.slice(0, 3))
    await api.put(`/api/webhooks/${id}`, { name: 'Hook', target: { url } }, 400);
  assert.equal((await api.get(`/api/webhooks/${id}`)).body.target.url, 'https://hooks.invalid/a');
  const tried = (await api.post(`/api/webhooks/${id}/test`, undefined)).body;
  assert.equal(tried.success, false);
  assert.equal(typeof tried.error, 'string');
});

test('a name that resolves to an internal address later is refused when it is called', async () => {
  for (const host of ['localhost.', 'a.localhost', 'hooks.invalid']) {
    const created = await api.send('POST', '/api/webhooks', { body: webhook(`http://${host}:${port}/`) });
    if (created.status === 400) continue;
    const tried = (await api.post(`/api/webhooks/${created.body.id}/test`, undefined)).body;
    assert.equal(tried.success, false, host);
    assert.equal(tried.status_code, undefined, host);
  }
});

test('no internal server received a request', () => {
  assert.equal(receiver.received.length, 0);
});

test('afterwards the process answers and has the accepted data', checkSurvivors);
