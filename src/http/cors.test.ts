import assert from 'node:assert/strict';
import test from 'node:test';
import Type from 'typebox';
import { createClient } from '../../test/harness/client.ts';
import { serveRoutes } from '../../test/harness/route-server.ts';
import { startTestApp } from '../../test/harness/test-app.ts';
import { AppError } from '../errors/app-error.ts';
import { NOT_FOUND } from '../errors/platform-errors.ts';
import { defineRoute } from './route.ts';

const app = await startTestApp();
const PAGE = 'https://page.example';
const shared = {
  path: '/things/{name}',
  summary: 'Tells',
  tag: 'Test',
  access: 'public',
  params: Type.Object({ name: Type.String() }),
  reply: Type.Object({}),
  cors: {
    origins: async (_ctx: unknown, { name }: { name: string }) => {
      if (name === 'absent') throw new AppError(NOT_FOUND, { message: 'Asked.' });
      return name === 'open' ? ['*'] : [PAGE];
    },
  },
} as const;
const routes = [
  defineRoute({ ...shared, id: 'things.get', method: 'GET', handler: async () => ({}) }),
  defineRoute({
    ...shared,
    id: 'things.create',
    method: 'POST',
    handler: async (_ctx, { params }) => {
      if (params.name === 'absent') throw new AppError(NOT_FOUND, { message: 'Called.' });
      return {};
    },
  }),
];
const { url } = await serveRoutes(app.app.platform, routes);
const from = (origin: string) => createClient(url, { origin });

test('a preflight returns the methods of the path to pages that may call', async () => {
  for (const [path, origin] of [
    ['/things/closed', PAGE],
    ['/things/open', 'https://other.example'],
  ] as const) {
    const { status, headers } = await from(origin).send('OPTIONS', path);
    assert.equal(status, 204);
    assert.equal(headers.get('access-control-allow-origin'), origin);
    assert.equal(headers.get('access-control-allow-methods'), 'GET, POST');
  }
});

test('a page that may not call is rejected at the preflight and at the call', async () => {
  const other = from('https://other.example');
  for (const method of ['OPTIONS', 'GET', 'POST']) {
    const answer = await other.send(method, '/things/closed');
    assert.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [403, null]);
  }
});

test('a response names the page that may read it', async () => {
  const { headers } = await from(PAGE).get('/things/closed');
  assert.equal(headers.get('access-control-allow-origin'), PAGE);
  assert.equal(headers.get('vary'), 'Origin');
  assert.equal((await from(url).get('/things/closed')).headers.get('access-control-allow-origin'), null);
});

test('an error in determining the origins is reported by the preflight and by the call itself', async () => {
  assert.equal((await from(PAGE).send('OPTIONS', '/things/absent')).body.message, 'Asked.');
  assert.equal((await from(PAGE).post('/things/absent', undefined, 404)).body.message, 'Called.');
});
