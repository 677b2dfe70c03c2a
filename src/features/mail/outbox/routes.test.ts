import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { simpleParser } from 'mailparser';
import { eventually } from '../../../../test/harness/poll.ts';
import { startRelay } from '../../../../test/harness/relay.ts';
import { startTestApp, type TestApp } from '../../../../test/harness/test-app.ts';
import { buildMime, type MailMessage } from '../../../mail/message.ts';
import { outboxRetention } from './retention.ts';

const app = await startTestApp();
const tenant = await app.createTenant();
const other = await app.createTenant();

async function capture(
  address: string,
  parts: Partial<MailMessage> & { readonly id?: string } = {},
  to: TestApp = app,
  tenantId = tenant.tenantId,
  raw: Buffer | null = null,
) {
  const message: MailMessage = {
    from: { address: 'from@sender.example', name: 'Zoë' },
    to: { address: 'shown@receiver.example', name: 'Shown' },
    subject: 'Grüße 👋',
    html: '<p>Hällo</p>',
    text: 'Hällo',
    headers: { 'X-Tessera-Message': 'm1', 'List-Unsubscribe': '<https://x.example/u>, <mailto:u@x.example>' },
    messageId: '<m1@sender.example>',
    date: new Date('2026-01-02T03:04:05Z'),
    attachments: [],
    envelope: { from: 'bounce+x@bounces.example', to: address },
    ...parts,
  };
  const mime = raw ?? (await buildMime(message));
  return { mime, result: await to.app.platform.mail.send(tenantId, message, mime) };
}

const address = () => `${randomUUID()}@receiver.example`;

test('without a relay a message is captured and shown like in a mail program', async () => {
  const to = address();
  const { result } = await capture(to.toUpperCase());
  assert.ok(result.kind === 'sent');
  const { results, total, totalPages } = (await app.admin.get(`/admin/outbox?to=${to}`)).body;
  assert.deepEqual([total, totalPages], [1, 1]);
  const [{ id, created_at, raw_url, ...item }] = results;
  assert.equal(result.reply, `250 2.0.0 captured as ${id}`);
  assert.deepEqual(item, { to, from: 'from@sender.example', subject: 'Grüße 👋' });
  assert.equal(raw_url, `${app.app.platform.publicUrl()}/admin/outbox/${id}/raw`);
  const { headers, ...read } = (await app.admin.get(`/admin/outbox/${id}`)).body;
  assert.deepEqual(read, { id, ...item, created_at, html: '<p>Hällo</p>', text: 'Hällo' });
  assert.equal(headers['x-tessera-message'], 'm1');
  assert.equal(headers['list-unsubscribe'], '<https://x.example/u>, <mailto:u@x.example>');
  assert.equal(headers.subject, 'Grüße 👋');
  assert.equal(headers['message-id'], '<m1@sender.example>');
});

test('a message that was erased meanwhile is not captured', async () => {
  const to = address();
  const { result } = await capture(to, { id: randomUUID() });
  assert.equal(result.kind, 'sent');
  assert.equal((await app.admin.get(`/admin/outbox?to=${to}`)).body.total, 0);
});

test('the raw message is exactly what would have been sent', async () => {
  const to = address();
  const content = Buffer.from([0, 255, 10, 13, 46]);
  const { mime } = await capture(to, { attachments: [{ name: 'a.bin', type: 'application/zip', content }] });
  const [{ id }] = (await app.admin.get(`/admin/outbox?to=${to}`)).body.results;
  const response = await fetch(`${app.url}/admin/outbox/${id}/raw`, { headers: app.admin.headers });
  assert.equal(response.headers.get('content-type'), 'message/rfc822');
  const raw = Buffer.from(await response.arrayBuffer());
  assert.deepEqual(raw, mime);
  assert.deepEqual((await simpleParser(raw)).attachments[0]?.content, content);
});

test('a missing part of a message is null, and a repeated field a list', async () => {
  const to = address();
  const raw = Buffer.from('Subject: x\r\nX-A: 1\r\nX-B: a,\r\n b\r\nX-A: =?utf-8?q?=C3=BC?=\r\n\r\n');
  await capture(to, {}, app, tenant.tenantId, raw);
  const [{ id }] = (await app.admin.get(`/admin/outbox?to=${to}`)).body.results;
  const { html, text, headers } = (await app.admin.get(`/admin/outbox/${id}`)).body;
  assert.deepEqual({ html, text }, { html: null, text: null });
  assert.deepEqual(headers, { subject: 'x', 'x-a': ['1', '=?utf-8?q?=C3=BC?='], 'x-b': 'a, b' });
});

test('messages of all tenants are listed newest first, in pages, and filtered by address', async () => {
  const to = address();
  for (const subject of ['one', 'two', 'three', 'four', 'five']) {
    const { tenantId } = subject === 'two' ? other : tenant;
    await capture(to, { subject }, app, tenantId);
  }
  const page = async (query: string) => (await app.admin.get(`/admin/outbox?${query}`)).body;
  const subjects = (list: { results: { subject: string }[] }) => list.results.map(({ subject }) => subject);
  const first = await page(`to=%20${to.toUpperCase()}&limit=2`);
  assert.deepEqual(subjects(first), ['five', 'four']);
  assert.deepEqual([first.total, first.totalPages], [5, 3]);
  assert.deepEqual(subjects(await page(`to=${to}&limit=2&page=3`)), ['one']);
  const past = await page(`to=${to}&limit=2&page=4`);
  assert.deepEqual([past.results, past.total], [[], 5]);
  assert.equal((await page(`to=${address()}`)).total, 0);
  assert.deepEqual(subjects(await page('limit=5')).slice(0, 5), ['five', 'four', 'three', 'two', 'one']);
});

test('the list rejects invalid pages and limits', async () => {
  for (const query of ['page=0', 'limit=101', 'limit=x'])
    assert.equal((await app.admin.get(`/admin/outbox?${query}`, 400)).body.code, 'INVALID_REQUEST');
});

test('an unknown message is 404, and only the operator reads messages', async () => {
  const to = address();
  await capture(to);
  const [{ id }] = (await app.admin.get(`/admin/outbox?to=${to}`)).body.results;
  for (const path of ['', '/raw']) {
    for (const absent of [randomUUID(), 'x', '%00'])
      assert.ok(
        [400, 404].includes((await app.admin.send('GET', `/admin/outbox/${absent}${path}`)).status),
        absent,
      );
    for (const client of [app.anonymous, tenant.api]) await client.get(`/admin/outbox/${id}${path}`, 401);
  }
});

test('with a relay messages are sent there and none is captured', async () => {
  const relay = await startRelay();
  const relaying = await startTestApp({ SMTP_URL: relay.url, SMTP_CONNECTIONS: '1' });
  const { mime, result } = await capture('to@receiver.example', {}, relaying);
  assert.equal(result.kind, 'sent');
  assert.deepEqual(relay.messages[0]?.raw, mime);
  assert.equal((await relaying.admin.get('/admin/outbox')).body.total, 0);
});

test('a stopping process finishes the current message', async () => {
  const relay = await startRelay();
  const answered = Promise.withResolvers<null>();
  const arrived = Promise.withResolvers<void>();
  relay.onMessage = () => {
    arrived.resolve();
    return answered.promise;
  };
  const relaying = await startTestApp({ SMTP_URL: relay.url });
  const captured = capture('to@receiver.example', {}, relaying);
  await arrived.promise;
  const stopped = relaying.app.stop();
  answered.resolve(null);
  assert.equal((await captured).result.kind, 'sent');
  await stopped;
  await eventually('the connection to end', () => relay.openConnections === 0);
  assert.equal((await capture('to@receiver.example', {}, relaying)).result.kind, 'unavailable');
});

test('messages captured more than 30 days ago are removed, however many', async () => {
  const to = address();
  for (const subject of ['one', 'two', 'three', 'kept']) await capture(to, { subject });
  const { platform } = app.app;
  const setAge = (subject: string, days: number) =>
    platform.database
      .everyTenant('tests')
      .query.updateTable('email_outbox')
      .set({ created_at: new Date(Date.now() - days * 24 * 60 * 60 * 1000) })
      .where('recipient', '=', to)
      .where('subject', '=', subject)
      .execute();
  for (const subject of ['one', 'two', 'three']) await setAge(subject, 31);
  await setAge('kept', 29);
  await outboxRetention.removeOld({ ...platform, config: { ...platform.config, jobBatchSize: 2 } });
  const { results } = (await app.admin.get(`/admin/outbox?to=${to}`)).body;
  assert.deepEqual(
    results.map(({ subject }: { subject: string }) => subject),
    ['kept'],
  );
});
