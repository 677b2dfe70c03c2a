import assert from 'node:assert/strict';
import test from 'node:test';
import Type from 'typebox';
import { createClient } from '../../test/harness/client.ts';
import { serveRoutes } from '../../test/harness/route-server.ts';
import { startTestApp } from '../../test/harness/test-app.ts';
import { AppError } from '../errors/app-error.ts';
import { UNAUTHORIZED } from '../errors/platform-errors.ts';
import type { RequestContext } from './context.ts';
import { defineRoute } from './route.ts';
import { isBelow, type Surface } from './surface.ts';
import { memberSurface, SURFACES } from './surfaces.ts';

const app = await startTestApp();
const tenant = await app.createTenant();

/** A surface on the members' paths, for requests that carry a bearer token and no key. */
const bearerSurface: Surface<RequestContext> = {
  name: 'bearer',
  takes: (request) =>
    isBelow('/api', request) &&
    request.headers.authorization !== undefined &&
    request.headers['x-api-key'] === undefined,
  authenticate: (request, base) => {
    if (request.headers.authorization !== 'Bearer good') throw new AppError(UNAUTHORIZED);
    return base;
  },
  identify: () => ({ tenantId: null, caller: 'bearer', unit: '' }),
  envelope: 'wrapped',
  security: { name: 'Bearer', scheme: { type: 'http', scheme: 'bearer' } },
  headers: [],
  errors: () => [UNAUTHORIZED],
};

const facts = { method: 'GET', summary: 'Tells who asked', tag: 'Test', access: 'member' } as const;
const reply = Type.Object({ by: Type.String() });
const routes = [
  defineRoute({
    ...facts,
    id: 'forms.list',
    path: '/api/forms',
    reply,
    handler: async () => ({ by: 'member' }),
  }),
  defineRoute({
    ...facts,
    id: 'records.list',
    path: '/api/{entity}',
    surfaces: [bearerSurface],
    params: Type.Object({ entity: Type.String() }),
    reply,
    handler: async (_ctx, { params }) => ({ by: `bearer ${params.entity}` }),
  }),
  defineRoute({
    ...facts,
    id: 'both.get',
    path: '/api/both/of-them',
    surfaces: [memberSurface, bearerSurface],
    reply,
    handler: async () => ({ by: 'either' }),
  }),
];
const { url } = await serveRoutes(app.app.platform, routes, {
  surfaces: [bearerSurface, ...SURFACES],
});
const anonymous = createClient(url);
const member = createClient(url, tenant.api.headers);
const bearer = createClient(url, { authorization: 'Bearer good' });

test("a path served by two surfaces is answered by that of the request's credential", async () => {
  assert.equal((await member.get('/api/forms')).body.by, 'member');
  assert.equal((await bearer.get('/api/forms')).body.by, 'bearer forms');
});

test('a route of one surface does not exist on another', async () => {
  assert.equal((await bearer.get('/api/webhooks')).body.by, 'bearer webhooks');
  assert.equal((await member.get('/api/webhooks', 404)).body.code, 'NOT_FOUND');
});

test('one route may be served by several surfaces', async () => {
  for (const client of [member, bearer])
    assert.equal((await client.get('/api/both/of-them')).body.by, 'either');
  assert.equal((await anonymous.get('/api/both/of-them', 401)).body.code, 'UNAUTHORIZED');
});

test('each surface reports errors in its own shape, on unknown paths too', async () => {
  const wrong = anonymous.with({ authorization: 'Bearer bad' });
  for (const path of ['/api/forms', '/api/a/b/c'])
    assert.equal((await wrong.get(path, 401)).body.error.code, 'UNAUTHORIZED');
  assert.equal((await bearer.get('/api/a/b/c', 404)).body.error.code, 'NOT_FOUND');
  assert.equal((await anonymous.get('/api/forms', 401)).body.code, 'UNAUTHORIZED');
});

test('of two credentials the key counts where members have a path', async () => {
  const both = member.with({ authorization: 'Bearer good' });
  assert.equal((await both.get('/api/forms')).body.by, 'member');
});

test('an Authorization header without a bearer token is ignored next to a key', async () => {
  const both = member.with({ authorization: 'Basic YTpi' });
  assert.equal((await both.get('/api/forms')).body.by, 'member');
});

test('a method that a path does not support answers 405 with the supported ones', async () => {
  const answer = await member.send('DELETE', '/api/forms?page=1');
  assert.deepEqual([answer.status, answer.body.code], [405, 'METHOD_NOT_ALLOWED']);
  assert.equal(answer.headers.get('allow'), 'GET, HEAD');
});
