import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { after } from 'node:test';
import { eventually } from '../../test/harness/poll.ts';
import { createRecordsTenant } from '../../test/harness/records.ts';
import { PASSWORD, startTestApp } from '../../test/harness/test-app.ts';
import { Tessera, TesseraError, type TesseraOptions, verifyWebhook } from './index.ts';

const app = await startTestApp();
const tenant = await createRecordsTenant(app, [
  {
    name: 'order',
    fields: [
      { name: 'number', type: 'string', required: true },
      { name: 'total', type: 'number' },
    ],
  },
]);
const tessera = new Tessera({ url: app.url, apiKey: tenant.apiKey });

/** A client of a server that responds as a test says. */
async function clientOf(respond: RequestListener, options: Partial<TesseraOptions> = {}): Promise<Tessera> {
  const server = createServer(respond).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return new Tessera({ url: `http://127.0.0.1:${port}`, apiKey: 'key', ...options });
}

const CAMPAIGN = { name: 'News', colour: '#0f766e', start_date: '2026-01-01', audience: 'Everybody' };
const PERSON = { first_name: 'Ada', active: true, audiences: [], lists: [] };

async function errorOf(promise: Promise<unknown>): Promise<TesseraError> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof TesseraError, String(error));
  return error;
}

test('a resource is created, read, changed and deleted', async () => {
  const { id } = await tessera.lists.create({ name: 'News' });
  assert.equal((await tessera.lists.get(id)).name, 'News');
  await tessera.lists.patch(id, { name: 'Old news' });
  assert.equal((await tessera.lists.get(id)).name, 'Old news');
  await tessera.lists.delete(id);
  assert.equal((await errorOf(tessera.lists.get(id))).code, 'NOT_FOUND');
});

test('all items of a list come from several pages', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  for (const name of names) await tessera.formThemes.create({ name, formBuilderThemeOptions: {} });
  const found: string[] = [];
  for await (const theme of tessera.formThemes.all({ limit: 2 })) found.push(theme.name);
  assert.deepEqual(found.sort(), names);
});

test('a list in the query has pages, too', async () => {
  const names: string[] = [];
  for await (const { name } of tessera.templates.all({ limit: 1 })) names.push(name);
  assert.deepEqual(names, []);
});

test('a list needs no input', async () => {
  const { results } = await tessera.forms.list();
  assert.deepEqual(results, []);
  assert.equal((await tessera.subscribers.list({ limit: 5 })).total, 0);
});

test('items can be deleted while all are read', async () => {
  for (const name of ['a', 'b', 'c', 'd', 'e']) await tessera.lists.create({ name });
  for await (const { id } of tessera.lists.all({ limit: 2 })) await tessera.lists.delete(id);
  assert.equal((await tessera.lists.list()).total, 0);
});

test('lists whose pages are of another form are read whole, too', async () => {
  for (const code of ['A', 'B', 'C']) await tessera.campaigns.create({ ...CAMPAIGN, code });
  const codes: string[] = [];
  for await (const each of tessera.campaigns.all({ limit: 2 })) codes.push(each.code);
  assert.deepEqual(codes.sort(), ['A', 'B', 'C']);
  for (const n of [1, 2, 3])
    await tessera.suppressions.create({ recipient: `p${n}@example.com`, type: 'unsubscribe' });
  const recipients: string[] = [];
  for await (const { recipient } of tessera.suppressions.all({ limit: 2 })) recipients.push(recipient);
  assert.equal(recipients.length, 3);
});

test('a list that is not called `list` returns a page, and all of it by `all...`', async () => {
  await tessera.campaigns.create({ ...CAMPAIGN, code: 'FIGURES' });
  assert.deepEqual((await tessera.campaignFigures.engagements('FIGURES')).results, []);
  for await (const each of tessera.campaignFigures.allEngagements('FIGURES')) assert.fail(String(each));
});

test('`fetch` is called without `this`, as browsers require it', async () => {
  const seen: unknown[] = [];
  function own(this: unknown, ...args: Parameters<typeof fetch>): Promise<Response> {
    seen.push(this);
    return fetch(...args);
  }
  await new Tessera({ url: app.url, apiKey: tenant.apiKey, fetch: own }).tenant.info();
  assert.deepEqual(seen, [undefined]);
});

test('a missing url or secret is named', async () => {
  assert.throws(() => new Tessera({ url: undefined }), /"url" must be a URL such as/);
  await assert.rejects(verifyWebhook({ body: '', headers: {}, secret: undefined }), /"secret" is required/);
});

test('the message of an error names the fields', async () => {
  const { message } = await errorOf(tessera.subscribers.create({ ...PERSON, email: 'no address' }));
  assert.match(message, /email/);
});

test('the three formats of errors become one', async () => {
  const plain = await errorOf(tessera.subscribers.create({ ...PERSON, email: 'no address' }));
  assert.deepEqual([plain.status, plain.code, plain.issues[0]?.field], [400, 'INVALID_SUBSCRIBER', 'email']);
  const wrapped = await errorOf(tessera.templateSnippets.create({ name: '', content: '' }));
  assert.deepEqual([wrapped.status, wrapped.code], [400, 'INVALID_REQUEST']);
  assert.ok(wrapped.issues.length > 0);
  const records = new Tessera({ url: app.url, accessToken: () => tokenOf(tenant.ownerEmail) }).records(
    'order',
  );
  const record = await errorOf(records.create({ total: 1 }));
  assert.deepEqual([record.status, record.code], [400, 'bad_request']);
  assert.deepEqual(
    record.issues.map(({ field }) => field),
    ['number'],
  );
});

async function tokenOf(email: string): Promise<string> {
  return (await new Tessera({ url: app.url }).auth.login({ email, password: PASSWORD })).token;
}

test('records are created, listed by conditions, changed and deleted', async () => {
  const orders = new Tessera({ url: app.url, accessToken: await tokenOf(tenant.ownerEmail) }).records(
    'order',
  );
  const { ids } = await orders.createMany([1, 2, 3].map((total) => ({ number: `A-${total}`, total })));
  const found: unknown[] = [];
  for await (const { number } of orders.all({ where: { total__gt: 1 }, sort: '-total', perPage: 1 }))
    found.push(number);
  assert.deepEqual(found, ['A-3', 'A-2']);
  const [first = ''] = ids;
  assert.equal((await orders.update(first, { total: 10 })).total, 10);
  assert.deepEqual(await orders.get(first, { fields: ['total'] as never }), { id: first, total: 10 });
  assert.equal((await orders.deleteMany(ids)).deleted, 3);
});

test('conditions accept lists, and sorting several fields', async () => {
  const orders = tessera.records('order');
  const { ids } = await orders.createMany(['B-1', 'B-2', 'B-3'].map((number) => ({ number, total: 7 })));
  const { data } = await orders.list({ where: { id__in: ids, total__gte: 7 }, sort: ['total', '-number'] });
  assert.deepEqual(
    data.map(({ number }) => number),
    ['B-3', 'B-2', 'B-1'],
  );
  await assert.rejects(orders.list({ where: { number__in: ['a,b'] } }), /"number__in" must not have values/);
  assert.equal((await orders.deleteMany(ids)).deleted, 3);
});

test('subscribers are imported from CSV and from JSON lines', async () => {
  const { id } = await tessera.lists.create({ name: 'Imported' });
  const lines = JSON.stringify({ ...PERSON, email: 'lines@example.com' });
  const inputs = ['email\ntext@example.com\n', lines, new Blob([lines], { type: 'application/x-ndjson' })];
  for (const input of inputs) {
    const query = { mode: 'upsert', list_id: id } as const;
    const { import_id } = await tessera.subscribers.import(input, { query });
    const ended = await eventually('the end of the import', async () => {
      const state = await tessera.subscribers.getImport(import_id);
      return state.status === 'completed' ? state : null;
    });
    assert.deepEqual([ended.total, ended.failed], [1, 0]);
  }
  const emails: string[] = [];
  for await (const { email } of tessera.subscribers.all({ filters: { lists: { eq: id } } }))
    emails.push(email);
  assert.deepEqual(emails.sort(), ['lines@example.com', 'text@example.com']);
  // @ts-expect-error: the mode is required
  assert.equal((await errorOf(tessera.subscribers.import(lines))).issues[0]?.field, 'mode');
});

test('an upload reports its progress up to the end', async () => {
  const file = new File(['x'.repeat(200_000)], 'notes.txt');
  const reported: { sent: number; total: number }[] = [];
  const { id } = await tessera.assets.create(
    { file, tags: ['a', 'b'] },
    { onProgress: (each) => reported.push(each) },
  );
  const asset = await tessera.assets.get(id);
  assert.deepEqual([asset.size, asset.name, asset.tags], [200_000, 'notes.txt', ['a', 'b']]);
  const last = reported.at(-1);
  assert.equal(last?.sent, last?.total);
});

test('the upload of a file as it is reports its progress up to the end', async () => {
  const rows = Array.from({ length: 2_000 }, (_, n) => `r${n}@upload.example`);
  const file = new Blob([['recipient', ...rows].join('\n')], { type: 'text/csv' });
  const reported: { sent: number; total: number }[] = [];
  const { import_id } = await tessera.suppressions.import(file, {
    onProgress: (each) => reported.push(each),
  });
  assert.equal((await tessera.suppressions.getImport(import_id)).created, 2_000);
  assert.deepEqual(reported.at(-1), { sent: file.size, total: file.size });
});

test('the answer of an assistant arrives as events', async () => {
  const { id: assistantId } = await tessera.aiAssistants.create({
    name: 'Helper',
    description: 'Helps.',
    llmConfiguration: { model: 'claude-sonnet-4-5', system: 'Help.', temperature: 0, max_tokens: 100 },
  });
  const { id } = await tessera.aiThreads.create({
    assistant_id: assistantId,
    user_id: 'ada',
    messages: [],
  });
  const events: string[] = [];
  for await (const { event } of tessera.aiThreads.replyStream(id, { message: 'Hello' })) events.push(event);
  assert.equal(events.at(-1), 'message');
  assert.ok(events.includes('delta'));
});

test('a missing credential is named before anything is sent', async () => {
  await assert.rejects(tessera.tenants.list(), /This call needs "adminToken"/);
  await assert.rejects(new Tessera({ url: app.url }).lists.get('x'), /This call needs "apiKey"/);
});

test('an empty part of a path is refused instead of calling another operation', async () => {
  await assert.rejects(tessera.lists.delete(''), /"id" must not be empty/);
});

test('a busy server is asked again, with the same Idempotency-Key', async () => {
  const keys: unknown[] = [];
  const client = await clientOf((request, response) => {
    keys.push(request.headers['idempotency-key']);
    if (keys.length < 3) response.writeHead(keys.length === 1 ? 429 : 502, { 'retry-after': '0' }).end();
    else response.end('{"id":"1"}');
  });
  assert.equal((await client.lists.create({ name: 'x' })).id, '1');
  assert.equal(keys.length, 3);
  assert.equal(new Set(keys).size, 1);
});

test('a call whose outcome is unknown is not repeated when that could do it twice', async () => {
  let calls = 0;
  const client = await clientOf((request) => {
    calls++;
    request.socket.destroy();
  });
  const error = await errorOf(client.lists.delete('1'));
  assert.deepEqual([error.status, error.code, calls], [0, 'NO_RESPONSE', 1]);
});

test('a call times out if the server never responds', async () => {
  const client = await clientOf(() => undefined, { timeoutMs: 50 });
  const error = await errorOf(client.lists.get('1', { maxRetries: 0 }));
  assert.match(error.message, /did not respond within 50 ms/);
});

test('the caller can abort a call', async () => {
  const client = await clientOf(() => undefined);
  const abort = new AbortController();
  const call = client.lists.get('1', { signal: abort.signal });
  abort.abort(new Error('Enough.'));
  await assert.rejects(call, /Enough/);
});

test('a page of a proxy is an error with its status', async () => {
  const client = await clientOf((_request, response) =>
    response.writeHead(413).end('<html>Too large</html>'),
  );
  const error = await errorOf(client.lists.create({ name: 'x' }));
  assert.deepEqual([error.status, error.code], [413, 'HTTP_413']);
});

test('a session sends its token and tenant instead of an API key', async () => {
  const seen: Record<string, unknown>[] = [];
  const session = await clientOf(
    (request, response) => {
      seen.push(request.headers);
      response.setHeader('content-type', 'application/json');
      response.end('{}');
    },
    { apiKey: undefined, session: { csrfToken: () => 'csrf', tenant: 'acme' } },
  );
  await session.lists.get('1');
  await session.records('order').list();
  assert.deepEqual(
    seen.map((headers) =>
      ['x-csrf-token', 'x-tenant', 'x-api-key', 'x-tessera-surface'].map((name) => headers[name]),
    ),
    [
      ['csrf', 'acme', undefined, undefined],
      ['csrf', 'acme', undefined, 'records'],
    ],
  );
});
