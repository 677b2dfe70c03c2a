import assert from 'node:assert/strict';
import test from 'node:test';
import {
  changeAutomation,
  createAutomation,
  endedRuns,
  listRuns,
} from '../../../../test/harness/automations.ts';
import { createMember } from '../../../../test/harness/members.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();

const hook = (params: object = {}, more: object = {}) => ({
  triggerType: 'webhook',
  triggerParams: params,
  ...more,
});

/** Creates a tenant with an automation that has a hook, and a function that calls the hook by its token. */
async function createSite(params: object = {}, more: object = {}) {
  const tenant = await app.createTenant();
  const { api } = tenant;
  await createAutomation(api, 'heard', hook(params, more));
  const { pathname, search } = new URL((await api.get('/api/automations/heard')).body.webhook_url);
  return { tenant, api, pathname, search, url: pathname + search };
}

/** Returns the trigger of the only run. */
async function triggerOf({ api }: Awaited<ReturnType<typeof createSite>>) {
  const [run] = await endedRuns(api, 'heard', 1);
  const { action: _own, ...trigger } = Object(run?.actions[0]?.result).message;
  return trigger;
}

test('a call to the URL that GET returns triggers a run once it is acknowledged', async () => {
  const { api, tenant, url, pathname } = await createSite();
  assert.equal(pathname, `/api/hooks/${tenant.code}/heard`);
  const { body } = await app.anonymous.post(url, { order: 1 }, 202);
  assert.deepEqual(Object.keys(body), ['run_id']);
  assert.equal((await listRuns(api, 'heard'))[0]?.run_id, body.run_id);
  assert.equal((await endedRuns(api, 'heard', 1))[0]?.status, 'succeeded');
});

test("a run receives the call's data without credentials", async () => {
  const site = await createSite({ path: '/orders/paid' });
  const headers = {
    cookie: 'session=secret',
    'x-hub-signature-256': 'sha256=abc',
    'x-secret-thing': 'secret',
  };
  await app.anonymous.post(`${site.url}&from=shop&tag=a&tag=b`, { order: { number: 7 } }, 202, { headers });
  const { headers: sentHeaders, ...trigger } = await triggerOf(site);
  assert.deepEqual(trigger, {
    body: { order: { number: 7 } },
    query: { from: 'shop', tag: ['a', 'b'] },
    method: 'POST',
    path: 'orders/paid',
  });
  assert.equal(sentHeaders['x-hub-signature-256'], 'sha256=abc');
  assert.equal(sentHeaders['content-type'], 'application/json');
  assert.ok(!JSON.stringify(sentHeaders).includes('secret'));
  assert.ok(!JSON.stringify({ told: sentHeaders, trigger }).includes(site.search.slice('?token='.length)));
});

for (const [type, sent, body] of [
  ['application/json', '{"a":[1,null]}', { a: [1, null] }],
  ['application/vnd.shop+json; charset=utf-8', '"text"', 'text'],
  ['application/x-www-form-urlencoded', 'a=1&b=x+y&b=%C3%A9', { a: '1', b: ['x y', 'é'] }],
  ['text/plain', 'a=1', 'a=1'],
  ['application/xml', '<a>1</a>', '<a>1</a>'],
  ['', '', null],
] as const) {
  test(`a body of ${type || 'no type'} is read`, async () => {
    const site = await createSite();
    await app.anonymous
      .send('POST', site.url, {
        ...(sent && { rawBody: sent }),
        headers: type ? { 'content-type': type } : {},
      })
      .then(({ status, text }) => assert.equal(status, 202, text));
    assert.deepEqual((await triggerOf(site)).body, body);
  });
}

test('a body that a run cannot use is rejected', async () => {
  const { api, url } = await createSite();
  const refused = async (type: string, rawBody: string | Buffer) =>
    (await app.anonymous.send('POST', url, { rawBody, headers: { 'content-type': type } })).status;
  assert.equal(await refused('application/json', '{'), 400);
  assert.equal(await refused('application/json', '['.repeat(10_000) + ']'.repeat(10_000)), 400);
  assert.equal(await refused('application/json', '{"__proto__":1}'), 400);
  assert.equal(await refused('text/plain', Buffer.from([0xff, 0xfe])), 400);
  assert.equal(await refused('text/plain', 'a\u0000b'), 400);
  assert.equal(await refused('application/x-www-form-urlencoded', 'a=%00'), 400);
  await app.anonymous.post(`${url}&a%00=1`, {}, 400);
  assert.equal(await refused('multipart/form-data; boundary=x', '--x--'), 415);
  assert.equal(await refused('text/plain', 'x'.repeat(10 * 1024 * 1024 + 1)), 413);
  assert.deepEqual(await listRuns(api, 'heard'), []);
});

test('a hook accepts only its own methods', async () => {
  const { api, url, pathname } = await createSite({ method: 'put' });
  await createAutomation(api, 'read', hook({ path: 'heard', method: 'get' }));
  await app.anonymous.put(url, {}, 202);
  await app.anonymous.get(url, 404);
  await app.anonymous.post(url, {}, 404);
  assert.equal((await api.send('HEAD', pathname)).status, 202);
  await api.get(pathname, 202);
  assert.equal((await endedRuns(api, 'read', 1)).length, 1);
  assert.equal((await endedRuns(api, 'heard', 1)).length, 1);
});

test('a path matches with a trailing slash and percent-encoding', async () => {
  await createSite({ path: '/with/slash/' }).then(({ url }) => app.anonymous.post(url, {}, 202));
  const { pathname, search } = await createSite({ path: '/a b/%C3%A9'.replace(' ', '%20') });
  assert.ok(pathname.endsWith('/a%20b/%C3%A9'));
  await app.anonymous.post(`${pathname}/${search}`, {}, 202);
  await app.anonymous.post(pathname.replace('a%20b', '%61%20b') + search, {}, 202);
});

test('an editor of the tenant calls a hook with an API key, a viewer and others cannot', async () => {
  const { api, tenant, pathname } = await createSite();
  const unit = { bu_id: tenant.defaultUnitId };
  const editor = await createMember(tenant, [{ ...unit, role: 'editor' }]);
  const viewer = await createMember(tenant, [{ ...unit, role: 'viewer' }]);
  await editor.api.post(pathname, {}, 202);
  await viewer.api.post(pathname, {}, 403);
  await viewer.api.post(`${pathname}x`, {}, 403);
  const stranger = await app.createTenant();
  const unknown = await stranger.api.post(pathname.replace(tenant.code, stranger.code), {}, 404);
  const foreign = await stranger.api.post(pathname, {}, 404);
  assert.equal(foreign.text, unknown.text);
  assert.equal((await listRuns(api, 'heard')).length, 1);
});

test('responses do not reveal which hooks exist', async () => {
  const { api, pathname, search, url } = await createSite();
  const other = await createSite();
  const texts = async (paths: readonly string[], status: number, client = app.anonymous) =>
    new Set(await Promise.all(paths.map(async (path) => (await client.post(path, {}, status)).text)));
  const wrong = search.slice(0, -4);
  const unknown = `${pathname}-unknown`;
  assert.equal((await texts([pathname, unknown], 401)).size, 1);
  assert.equal(
    (await texts([pathname + wrong, unknown + wrong, `${pathname}?token=`, `${unknown}?token=`], 401)).size,
    1,
  );
  const missing = await texts([unknown + search, pathname + other.search, other.pathname + search], 404);
  await changeAutomation(api, 'heard', { active: false });
  for (const text of await texts([url], 404)) missing.add(text);
  for (const text of await texts([pathname, unknown], 404, api)) missing.add(text);
  await changeAutomation(api, 'heard', { active: true });
  await app.anonymous.post(url, {}, 202);
  await api.delete('/api/automations/heard');
  for (const text of await texts([url], 404)) missing.add(text);
  assert.equal(missing.size, 1);
});

test('a recreated automation has another URL', async () => {
  const { api, url } = await createSite();
  await api.delete('/api/automations/heard');
  await createAutomation(api, 'heard', hook());
  await app.anonymous.post(url, {}, 404);
});

test('a path and method belong to one automation, whatever its method and state', async () => {
  const { api } = await createSite({ path: '/taken', method: 'post' });
  const create = (key: string, params: object, status: number) =>
    api.post(
      '/api/automations',
      { key, name: key, app: 'test', triggerType: 'webhook', triggerParams: params },
      status,
    );
  assert.equal((await create('b', { path: 'taken', method: 'post' }, 409)).body.code, 'DUPLICATE_HOOK');
  await create('b', { path: '/taken' }, 409);
  await create('b', { path: '/%74aken', method: 'all' }, 409);
  await create('taken', {}, 409);
  await create('c', { path: '/taken', method: 'get' }, 200);
  await create('d', { path: '/free' }, 200);
  const changed = { name: 'd', app: 'test', triggerType: 'webhook', triggerParams: { path: '/taken' } };
  assert.equal((await api.put('/api/automations/d', changed, 409)).body.code, 'DUPLICATE_HOOK');
  await changeAutomation(api, 'heard', { active: false });
  await create('e', { path: '/taken', method: 'post' }, 409);
  await api.delete('/api/automations/heard');
  await create('e', { path: '/taken', method: 'post' }, 200);
  await changeAutomation(api, 'd', { triggerParams: { path: '/taken', method: 'put' } });
  await create('f', { path: '/free' }, 200);
});

test('only one of two automations created for one URL at the same time succeeds', async () => {
  const { api } = await createSite();
  const created = await Promise.all(
    ['x', 'y', 'z'].map((key) =>
      api.send('POST', '/api/automations', {
        body: { key, name: key, app: 'test', triggerType: 'webhook', triggerParams: { path: '/raced' } },
      }),
    ),
  );
  assert.deepEqual(created.map(({ status }) => status).sort(), [200, 409, 409]);
});

test('a call repeated with its Idempotency-Key triggers one run', async () => {
  const { api, url } = await createSite();
  const headers = { 'idempotency-key': 'once' };
  const first = await app.anonymous.post(url, { a: 1 }, 202, { headers });
  const again = await app.anonymous.post(url, { a: 1 }, 202, { headers });
  assert.equal(again.text, first.text);
  await app.anonymous.post(url, { a: 2 }, 409, { headers });
  assert.equal((await listRuns(api, 'heard')).length, 1);
});
