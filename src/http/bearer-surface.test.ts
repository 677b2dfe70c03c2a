import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { SignJWT } from 'jose';
import { sql } from 'kysely';
import Type from 'typebox';
import { type Answer, type Client, createClient } from '../../test/harness/client.ts';
import { actingIn, createMember, signIn } from '../../test/harness/members.ts';
import { serveRoutes } from '../../test/harness/route-server.ts';
import { startOwnApp } from '../../test/harness/test-app.ts';
import { AppError } from '../errors/app-error.ts';
import { invalidRequest, NOT_FOUND, ruleBroken, VERSION_CONFLICT } from '../errors/platform-errors.ts';
import { accessTokens } from '../secrets/access-tokens.ts';
import { defineBearerRoute } from './bearer-route.ts';
import { defineRoute } from './route.ts';

let turnedMs = 0;
const app = await startOwnApp({ RATE_LIMITS: 'on' }, { clock: () => new Date(Date.now() + turnedMs) });
const { platform } = app.app;
const tenant = await app.createTenant();
const other = await app.createTenant();

const params = Type.Object({ entity: Type.String() });
const issues = [{ field: 'name', message: 'is taken' }];
const FAULTS: Readonly<Record<string, () => Error>> = {
  malformed: () => invalidRequest([{ field: 'name', message: 'is required' }, { message: 'Too much.' }]),
  missing: () => new AppError(NOT_FOUND),
  stale: () => new AppError(VERSION_CONFLICT),
  taken: () => new AppError(VERSION_CONFLICT, { issues }),
  refused: () => ruleBroken('status', 'may not become "done"'),
  broken: () => new Error('secret'),
};
const routes = [
  defineRoute({
    id: 'forms.list',
    method: 'GET',
    path: '/api/forms',
    summary: 'Lists forms',
    tag: 'Test',
    access: 'member',
    reply: Type.Object({ by: Type.String() }),
    handler: async () => ({ by: 'platform' }),
  }),
  defineBearerRoute({
    id: 'records.list',
    method: 'GET',
    path: '/api/{entity}',
    summary: 'Lists records',
    tag: 'Test',
    access: 'member',
    params,
    reply: Type.Object({
      entity: Type.String(),
      user: Type.String(),
      unit: Type.String(),
      revision: Type.Integer(),
    }),
    handler: async ({ caller, entityRevision }, { params: { entity } }) => {
      const fault = FAULTS[entity]?.();
      if (fault) throw fault;
      return { entity, user: caller.userId, unit: caller.activeUnitId ?? '', revision: entityRevision };
    },
  }),
  defineBearerRoute({
    id: 'records.lock',
    method: 'POST',
    path: '/api/all/locked',
    summary: 'Locks records',
    tag: 'Test',
    access: 'editor',
    body: Type.Object({ name: Type.String() }),
    reply: Type.Object({ name: Type.String() }),
    write: async (_ctx, { body: { name } }) => ({ name }),
  }),
];
// Every other path below /api/ is an entity here.
const { url } = await serveRoutes(platform, routes, { isRecordPath: async () => true });
const anonymous = createClient(url);
const key = createClient(url, tenant.api.headers);
const withToken = (token: string) => createClient(url, { authorization: `Bearer ${token}` });
const session = await signIn(tenant.api, tenant.ownerEmail);
const owner = withToken(session.token);

const QUOTA = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
const quotaOf = ({ headers }: Answer) => QUOTA.map((name) => headers.get(name));

test('one path is served to a token by records, to a key by the platform', async () => {
  assert.equal((await owner.get('/api/forms')).body.entity, 'forms');
  assert.equal((await owner.get('/api/forms')).body.user, tenant.ownerUserId);
  assert.equal((await key.get('/api/forms')).body.by, 'platform');
  for (const scheme of ['bearer', 'BEARER', 'Bearer '])
    await anonymous.get('/api/forms', 200, { headers: { authorization: `${scheme} ${session.token}` } });
});

test('each error has the code of its status, and the related members', async () => {
  const bodyOf = async (path: string, status: number) => (await owner.get(path, status)).body;
  const faults = [
    { field: 'name', message: 'is required' },
    { field: '', message: 'Too much.' },
  ];
  const message = 'The request is not valid.';
  assert.deepEqual(await bodyOf('/api/malformed', 400), { error: 'bad_request', message, errors: faults });
  assert.deepEqual(await bodyOf('/api/missing', 404), { error: 'not_found', message: 'Not found.' });
  assert.deepEqual(Object.keys(await bodyOf('/api/stale', 409)), ['error', 'message']);
  assert.deepEqual((await bodyOf('/api/taken', 409)).errors, issues);
  const refused = await bodyOf('/api/refused', 422);
  assert.deepEqual([refused.error, refused.errors], ['validation_failed', ['may not become "done"']]);
  const broken = await bodyOf('/api/broken', 500);
  assert.deepEqual(Object.keys(broken), ['error', 'message', 'request_id']);
  assert.equal(broken.error, 'internal_error');
  assert.doesNotMatch(JSON.stringify(broken), /secret/);
});

test('an unknown path has that shape, too, whatever the shape of the area for keys', async () => {
  for (const path of ['/api/a/b/c', '/api/templates/a/b/c', '/api/'])
    assert.equal((await owner.get(path, 404)).body.error, 'not_found');
  for (const path of ['/api/a/b/c', '/api/templates/a/b/c'])
    assert.equal((await withToken('nonsense').get(path, 401)).body.error, 'unauthorized');
  assert.equal((await anonymous.get('/api/records', 401)).body.code, 'UNAUTHORIZED');
});

test('an error of the whole request is reported for the empty field', async () => {
  const { body } = await owner.get('/api/%zz', 400);
  assert.deepEqual(body.errors, [{ field: '', message: body.message }]);
});

test('conversations do not belong to this surface', async () => {
  assert.equal((await owner.get('/api/ai/conversation/messages', 401)).body.code, 'UNAUTHORIZED');
  assert.equal((await owner.get('/api/ai/conversations', 404)).body.error, 'not_found');
});

test('of two credentials the key counts on a platform path, the token on others', async () => {
  const both = owner.with(tenant.api.headers);
  assert.equal((await both.get('/api/forms')).body.by, 'platform');
  assert.equal((await both.get('/api/customers')).body.entity, 'customers');
});

test('every response reports the remaining quota, without a caller the full one', async () => {
  const member = await createMember(tenant, []);
  const client = withToken((await signIn(tenant.api, member.email)).token);
  const large = { rawBody: JSON.stringify({ name: 'x'.repeat(11 * 1024 * 1024) }) };
  const bodyOf = [
    await client.get('/api/forms'),
    await client.get('/api/malformed', 400),
    await client.get('/api/missing', 404),
    await client.get('/api/a/b/c', 404),
    await client.get('/api/refused', 422),
    await client.get('/api/broken', 500),
    await client.post('/api/all/locked', { name: 'x' }, 403),
    await client.get('/api/forms', 403, { headers: { 'x-business-unit': 'forged' } }),
  ];
  const editor = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'editor' }]);
  const writer = withToken((await signIn(tenant.api, editor.email)).token);
  const written = [
    await writer.post('/api/all/locked', { name: 'x' }),
    await writer.post('/api/all/locked', {}, 400),
    await writer.post('/api/all/locked', undefined, 413, large),
    await writer.send('POST', '/api/all/locked', { rawBody: 'x', headers: { 'content-type': 'text/plain' } }),
  ];
  for (const answers of [bodyOf, written]) {
    const resets = new Set(answers.map((answer) => quotaOf(answer)[2]));
    assert.ok(resets.size <= 2);
    const left = Number([...resets][0]) - Date.now() / 1000;
    assert.ok(left > 3590 && left <= 3602, `${left} seconds are left`);
    assert.deepEqual(
      answers.map((answer) => quotaOf(answer).slice(0, 2)),
      answers.map((_answer, index) => ['1000', String(999 - index)]),
    );
  }
  const nobody = withToken('x');
  const broken = await client.get('/api/%zz', 400);
  const toNobody = [
    await nobody.get('/api/forms', 401),
    await nobody.get('/api/a/b/c', 401),
    await nobody.post('/api/all/locked', undefined, 401, large),
    broken,
  ];
  for (const answer of toNobody) {
    const [limit, left, reset] = quotaOf(answer);
    assert.deepEqual([limit, left], ['1000', '1000']);
    const seconds = Number(reset) - Date.now() / 1000;
    assert.ok(seconds > 3590 && seconds <= 3602, `${seconds} seconds are left`);
  }
});

test('without a token, or with another credential in addition, a response has the shape of the other surface', async () => {
  const both = owner.with(tenant.api.headers);
  for (const answer of [await anonymous.get('/api/forms', 401), await both.get('/api/forms')])
    assert.deepEqual(quotaOf(answer), [null, null, null]);
});

test('an unknown parameter is rejected by name, on every call', async () => {
  for (const ask of [
    () => owner.get('/api/forms?x=1&page=1', 400),
    () => owner.post('/api/all/locked?x=1&page=1', { name: 'x' }, 400),
  ]) {
    const { errors } = (await ask()).body;
    assert.deepEqual(
      errors.map(({ field, message }: { field: string; message: string }) => `${field} ${message}`),
      ['x is not allowed here', 'page is not allowed here'],
    );
  }
});

test('a user may send 1000 requests an hour with any of their tokens, and then gets 429', async () => {
  const user = await createMember(tenant, []);
  const clients = [await signIn(tenant.api, user.email), await signIn(tenant.api, user.email)].map(
    ({ token }) => withToken(token),
  );
  const [one, two] = clients;
  assert.ok(one && two);
  for (let round = 0; round < 50; round += 1)
    await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 ? one : two).get('/api/forms')));
  const refused = await one.get('/api/forms', 429);
  const { error, retry_after } = refused.body;
  assert.equal(error, 'rate_limited');
  assert.ok(Number.isInteger(retry_after) && retry_after > 3500 && retry_after <= 3600);
  assert.equal(refused.headers.get('retry-after'), String(retry_after));
  assert.deepEqual(quotaOf(refused).slice(0, 2), ['1000', '0']);
  await two.get('/api/a/b/c', 429);
  await owner.get('/api/forms');
  await createClient(url, user.api.headers).get('/api/forms');
});

test("a forged unit token is rejected, a valid one sets the user's unit", async () => {
  const { body } = await owner.get('/api/forms', 403, { headers: { 'x-business-unit': 'forged' } });
  assert.equal(body.error, 'forbidden');
  const active = await actingIn(tenant.api, tenant.defaultUnitId);
  const headers = { 'x-business-unit': active.headers['x-business-unit'] ?? '' };
  assert.equal((await owner.get('/api/forms', 200, { headers })).body.unit, tenant.defaultUnitId);
});

test("each request sees the current revision of its tenant's entities", async () => {
  assert.equal((await owner.get('/api/forms')).body.revision, 0);
  const { query } = platform.database.everyTenant('tests');
  await sql`insert into entity_revisions values (${tenant.tenantId}, 7)`.execute(query);
  assert.equal((await owner.get('/api/forms')).body.revision, 7);
});

test('a validly signed token opens only its own session, in its own tenant', async () => {
  const signer = accessTokens(platform);
  const claims = await signer.verify(session.token, new Date());
  assert.ok(claims);
  const now = platform.clock();
  await withToken(await signer.sign(claims, now)).get('/api/forms');
  const wrong = [
    { ...claims, tenantId: other.tenantId },
    { ...claims, sessionId: randomUUID() },
  ];
  for (const each of wrong) await withToken(await signer.sign(each, now)).get('/api/forms', 401);
  const foreign = new SignJWT({ tenant: claims.tenantId, sid: claims.sessionId }).setSubject(claims.userId);
  const forged = await foreign.setProtectedHeader({ alg: 'HS256' }).sign(Buffer.alloc(32));
  await withToken(forged).get('/api/forms', 401);
});

async function statusOf(client: Client): Promise<number> {
  return (await client.send('GET', '/api/forms')).status;
}

test('conflicting headers are rejected as such', async () => {
  assert.equal(await statusOf(withToken('A'.repeat(100_000))), 431);
  assert.equal(await statusOf(withToken('A'.repeat(10_000))), 401);
});

test('an access token is valid for an hour', async () => {
  const { token } = await signIn(tenant.api, tenant.ownerEmail);
  turnedMs = 59 * 60_000;
  assert.equal(await statusOf(withToken(token)), 200);
  turnedMs = 60 * 60_000 + 1000;
  assert.equal(await statusOf(withToken(token)), 401);
  turnedMs = 0;
});
