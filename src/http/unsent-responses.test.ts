import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import test from 'node:test';
import Type from 'typebox';
import { createClient } from '../../test/harness/client.ts';
import { eventually } from '../../test/harness/poll.ts';
import { serveRoutes } from '../../test/harness/route-server.ts';
import { startOwnApp } from '../../test/harness/test-app.ts';
import { isCutOff, requestUnread, unsentBytes, withStatus } from '../../test/harness/unread.ts';
import { defineRawRoute, defineRoute } from './route.ts';
import { compressFile } from './static-file.ts';

const MIB = 1024 * 1024;
/** A text whose sizes in UTF-8 and in the engine differ. */
const TEXT = 'ä€x'.repeat(1.5 * MIB);
const BYTES = Buffer.alloc(9 * MIB, 'b');
const CALLS = 30;

const app = await startOwnApp({ STALLED_WRITE_SECONDS: '3' });
const tenant = await app.createTenant();
const script = await compressFile('text/javascript', BYTES);
const seen = { writes: 0 };

async function* endless() {
  for (;;) yield { data: 'x'.repeat(64 * 1024) };
}

const facts = { summary: 'Answers much', tag: 'Test' } as const;
const reply = Type.Object({ text: Type.String() });
const raw = { contentType: 'text/plain', description: 'Much' };
const headers = { 'content-type': 'text/plain', 'cache-control': 'public, max-age=60', etag: '"much"' };
const routes = [
  defineRoute({
    ...facts,
    access: 'member',
    id: 'much.get',
    method: 'GET',
    path: '/api/much',
    reply,
    handler: async () => ({ text: TEXT }),
  }),
  defineRoute({
    ...facts,
    access: 'member',
    id: 'much.write',
    method: 'POST',
    path: '/api/much',
    reply,
    write: async ({ db }) => {
      await db.query.selectFrom('business_units').select('name').execute();
      seen.writes += 1;
      return { text: TEXT };
    },
  }),
  defineRoute({
    ...facts,
    access: 'member',
    id: 'much.events',
    method: 'GET',
    path: '/api/much/events',
    events: () => endless(),
  }),
  defineRawRoute({
    ...facts,
    access: 'public',
    id: 'much.page',
    method: 'GET',
    path: '/much',
    raw,
    handler: () => ({ status: 200, headers, body: Buffer.from(BYTES) }),
  }),
  defineRawRoute({
    ...facts,
    access: 'public',
    id: 'much.script',
    method: 'GET',
    path: '/much.js',
    raw,
    handler: () => ({ status: 200, headers, body: script.body }),
  }),
  defineRawRoute({
    ...facts,
    access: 'public',
    id: 'much.stream',
    method: 'GET',
    path: '/much.bin',
    raw,
    handler: () => ({ status: 200, headers, body: Readable.from(endlessBytes()) }),
  }),
];

function* endlessBytes() {
  for (;;) yield Buffer.alloc(64 * 1024);
}

const { url, countConnections } = await serveRoutes(app.app.platform, routes);
const member = createClient(url, tenant.api.headers);
const visitor = createClient(url);

/** Sends many calls and reads none; `ended` waits until the server has ended their connections. */
async function requestMany(...call: Parameters<typeof requestUnread>) {
  const before = await countConnections();
  const answers = await Promise.all(Array.from({ length: CALLS }, () => requestUnread(...call)));
  const ended = async () => {
    for (const refused of withStatus(answers, 429)) assert.ok(!(await isCutOff(refused)));
    await eventually('the end of each connection', async () => (await countConnections()) <= before);
    for (const answer of withStatus(answers, 200)) assert.ok(await isCutOff(answer));
    await eventually('memory given back', async () => (await unsentBytes(app.url)) === 0);
  };
  return { answers, ended };
}

test('a large response is complete, with its length', async () => {
  const { text, body, headers: responseHeaders } = await member.get('/api/much');
  assert.equal(body.text, TEXT);
  assert.equal(Number(responseHeaders.get('content-length')), Buffer.byteLength(text));
  const head = await fetch(`${url}/api/much`, { method: 'HEAD', headers: member.headers });
  assert.equal(Number(head.headers.get('content-length')), Buffer.byteLength(text));
  assert.equal((await visitor.get('/much')).text.length, BYTES.length);
});

test('a write is rejected before it is executed while too much is unread, and otherwise answered', async () => {
  const { answers, ended } = await requestMany(member, '/api/much', { method: 'POST' });
  const made = withStatus(answers, 200);
  assert.equal(made.length, seen.writes);
  assert.ok(made.length > 0 && made.length < 16, `${made.length} were made`);
  assert.equal(withStatus(answers, 429).length, CALLS - made.length);
  await ended();
});

test('visitors are counted by network; an error has no headers of the omitted body', async () => {
  const { answers, ended } = await requestMany(visitor, '/much');
  const refused = withStatus(answers, 429);
  const made = withStatus(answers, 200).length;
  // Five fit. On a busy machine the first connections end before the last call, which makes room for more.
  assert.ok(made >= 5 && made < 16, `${made} were made`);
  assert.equal(refused.length, CALLS - made);
  for (const { headers: responseHeaders } of refused) {
    assert.equal(responseHeaders.etag, undefined);
    assert.equal(responseHeaders['cache-control'], undefined);
  }
  // They have a separate budget.
  assert.equal((await member.get('/api/much')).body.text, TEXT);
  await ended();
});

test('a file in memory is not counted, and a client that does not read it is disconnected', async () => {
  const { answers, ended } = await requestMany(visitor, '/much.js');
  assert.equal(withStatus(answers, 200).length, CALLS);
  await ended();
});

for (const [what, client, path] of [
  ['events', member, '/api/much/events'],
  ['a stream', visitor, '/much.bin'],
] as const)
  test(`a client that does not read ${what} is disconnected`, async () => {
    const { answers, ended } = await requestMany(client, path);
    assert.equal(withStatus(answers, 200).length, CALLS);
    await ended();
  });
