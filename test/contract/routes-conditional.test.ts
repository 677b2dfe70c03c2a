/** Conditional reads: every route that supports them, on a record of the examples. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { startReceiver } from '../harness/receiver.ts';
import { startTestApp } from '../harness/test-app.ts';
import { targetOf } from './route-calls.ts';
import { allRoutes, createWorld, recordsOf, requestTo } from './world.ts';

const app = await startTestApp();
const receiver = await startReceiver();
const tenant = await app.createTenant();
const other = await app.createTenant();
const routes = allRoutes.filter(({ conditional }) => conditional);
const names = await createWorld(tenant, receiver.url, recordsOf(routes));
const otherNames = await createWorld(other, receiver.url, recordsOf(routes));
const pathOf = (route: (typeof routes)[number], nameOf = names) => targetOf(route, requestTo(route, nameOf));

test('a client with the current ETag gets a 304, and others get the response', async () => {
  assert.ok(routes.length >= 2);
  for (const route of routes) {
    const path = pathOf(route);
    const read = (tag?: string) =>
      tenant.api.send('GET', path, tag === undefined ? {} : { headers: { 'if-none-match': tag } });
    const first = await read();
    const etag = first.headers.get('etag') ?? '';
    assert.match(etag, /^"[\x21\x23-\x7e]+"$/, route.id);
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const { status, text, headers } = await read(tags);
      assert.deepEqual([status, text, headers.get('etag')], [304, '', etag], `${route.id} ${tags}`);
      assert.equal(headers.get('cache-control'), 'private, no-cache');
      assert.match(headers.get('vary') ?? '', /X-API-Key/);
    }
    for (const tags of ['"other"', etag.slice(1, -1), `"x${etag.slice(1)}`]) {
      const { status, text } = await read(tags);
      assert.deepEqual([status, text], [200, first.text], `${route.id} ${tags}`);
    }
    const head = await tenant.api.send('HEAD', path);
    assert.deepEqual([head.status, head.text, head.headers.get('etag')], [200, '', etag]);
  }
});

test('the ETag of one tenant does not match responses of another', async () => {
  for (const route of routes) {
    const etag = (await tenant.api.send('GET', pathOf(route))).headers.get('etag') ?? '';
    const headers = { 'if-none-match': etag };
    assert.equal((await other.api.send('GET', pathOf(route, otherNames), { headers })).status, 200, route.id);
  }
});
