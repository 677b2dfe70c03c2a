import assert from 'node:assert/strict';
import test from 'node:test';
import { createMember } from '../../../../test/harness/members.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const tenant = await app.createTenant();
const { api } = tenant;
const path = '/api/automations';

await api.post('/api/entities', { name: 'order', fields: [{ name: 'total', type: 'number' }] });

const note = {
  key: 'note',
  name: 'Note',
  actionTypeKey: 'log',
  params: { message: '{{trigger.entity.id}}' },
};

/** A valid definition that nothing triggers automatically. */
function definition(key: string, more: object = {}) {
  return { key, app: 'shop', name: 'Orders', triggerType: 'webhook', triggerParams: {}, ...more };
}

async function create(key: string, more: object = {}) {
  await api.post(path, definition(key, more));
  return key;
}

/** Returns the issues of a rejected definition. */
async function faultsOf(body: object, status = 400) {
  const answer = (await api.post(path, body, status)).body;
  if (status === 400) assert.equal(answer.code, 'INVALID_AUTOMATION');
  return answer.issues.map(({ field, message }: { field: string; message: string }) => `${field} ${message}`);
}

test('an automation is returned as written, with its defaults', async () => {
  const { body } = await api.post(path, definition('plain'));
  assert.deepEqual(body, { key: 'plain' });
  const { created_at, updated_at, webhook_url, ...read } = (await api.get(`${path}/plain`)).body;
  assert.deepEqual(read, {
    key: 'plain',
    name: 'Orders',
    app: 'shop',
    module: null,
    entityKey: null,
    triggerType: 'webhook',
    triggerParams: {},
    actions: [],
    conditionalActions: [],
    on_failure: [],
    active: true,
    version: 1,
  });
  assert.equal(created_at, updated_at);
  assert.match(webhook_url, /\/api\/hooks\/.*\/plain\?token=/);
  const all = {
    module: 'sales',
    entityKey: 'order',
    triggerType: 'afterWorflowOwnershipTaken',
    actions: [note],
    conditionalActions: [
      {
        condition: {
          combinator: 'or',
          rules: [
            { field: 'total', operator: 'greaterThan', value: '{{trigger.previous.total}}' },
            { rules: [{ field: '{{trigger.entity.id}}', operator: 'isNotNull' }], combinator: 'and' },
            {},
          ],
        },
        actions: [{ ...note, key: 'other' }],
      },
    ],
    active: false,
  };
  await api.post(path, definition('whole', all));
  const stored = (await api.get(`${path}/whole`)).body;
  assert.deepEqual({ ...stored, ...definition('whole', all) }, stored);
});

test('every trigger type of entities has no parameters and needs an entity', async () => {
  for (const triggerType of [
    'afterCreate',
    'afterUpdate',
    'afterDelete',
    'afterWorkflowMove',
    'afterWorflowOwnershipTaken',
  ]) {
    assert.deepEqual(await faultsOf(definition('x', { triggerType })), ['entityKey is required']);
    assert.deepEqual(await faultsOf(definition('x', { triggerType, entityKey: null })), [
      'entityKey is required',
    ]);
    const more = { triggerType, entityKey: 'order' };
    assert.deepEqual(await faultsOf(definition('x', { ...more, triggerParams: { path: '/x' } })), [
      'triggerParams.path is not allowed here: record triggers have no parameters',
    ]);
    await create(triggerType, more);
  }
});

test('errors are reported in order: required fields, then the entity, then the rest', async () => {
  assert.deepEqual(await faultsOf({}), [
    'key is required',
    'app is required',
    'triggerType is required',
    'name is required',
    'triggerParams is required',
  ]);
  const { name: _name, ...unnamed } = definition('a b', { triggerType: 'afterCreate' });
  assert.deepEqual(await faultsOf(unnamed), ['name is required']);
  assert.deepEqual(await faultsOf(definition('a b', { triggerType: 'afterCreate' })), [
    'entityKey is required',
  ]);
  const faults = await faultsOf(
    definition('a b', { triggerType: 'aftercreate', module: 1, entityKey: 'x y' }),
  );
  assert.deepEqual(
    faults.map((fault: string) => fault.split(' ')[0]),
    ['key', 'module', 'entityKey', 'triggerType'],
  );
});

test('trigger parameters must match their type', async () => {
  const cron = (params: object) =>
    faultsOf(definition('x', { triggerType: 'cronJob', triggerParams: params }));
  assert.deepEqual(await cron({}), ['triggerParams.cronExpression is required']);
  for (const cronExpression of [
    '61 * * * *',
    '* 24 * * *',
    '* * * * 9',
    'a b c d e',
    '0 0 31 2 *',
    '* * * *',
    '* * * * * *',
    '@daily',
    5,
  ]) {
    const [fault = ''] = await cron({ cronExpression });
    assert.match(fault, /^triggerParams\.cronExpression /, String(cronExpression));
  }
  for (const timeoutMs of [0, -1, 300_001, '5', null])
    assert.match((await cron({ cronExpression: '0 9 * * 1-5', timeoutMs }))[0], /^triggerParams\.timeoutMs /);
  await create('cron', {
    triggerType: 'cronJob',
    triggerParams: { cronExpression: '*/5 9-17 1,15 * MON', timeoutMs: 1000 },
  });

  const queue = (params: object) =>
    faultsOf(definition('x', { triggerType: 'mqHandler', triggerParams: params }));
  assert.deepEqual(await queue({}), ['triggerParams.queueName is required']);
  for (const queueName of ['a-b', '', 7])
    assert.match((await queue({ queueName }))[0], /queueName must be a token/);
  await create('queue', { triggerType: 'mqHandler', triggerParams: { queueName: 'orders_1' } });

  const hook = (params: object) => faultsOf(definition('x', { triggerParams: params }));
  for (const path of ['', '//a', 'https://a.example/', '/a b', '/../x', '/a?b=c', 5])
    assert.match((await hook({ path }))[0], /^triggerParams\.path /, String(path));
  for (const method of ['GET', 'delete', 1])
    assert.match((await hook({ method }))[0], /^triggerParams\.method /);
  for (const method of ['all', 'get', 'post', 'put'])
    await create(`hook_${method}`, { triggerParams: { path: `/orders/${method}`, method } });
});

test('actions and conditions are validated before they are stored', async () => {
  const withActions = (...actions: object[]) => faultsOf(definition('x', { actions }));
  const withRules = (...rules: unknown[]) =>
    faultsOf(
      definition('x', { conditionalActions: [{ condition: { combinator: 'and', rules }, actions: [] }] }),
    );
  assert.deepEqual(await withActions({}), [
    'actions[0].key is required',
    'actions[0].name is required',
    'actions[0].actionTypeKey is required',
  ]);
  assert.deepEqual(await withActions(note, note), ['actions[1].key must be unique among the actions']);
  const other = { condition: { combinator: 'and', rules: [] }, actions: [note] };
  // Keys are unique within one list.
  assert.deepEqual(await faultsOf(definition('x', { on_failure: [note, note] })), [
    'on_failure[1].key must be unique among the actions',
  ]);
  await api.post(
    path,
    definition('lists', { actions: [note], conditionalActions: [other], on_failure: [note] }),
  );
  assert.match(
    (await withActions({ ...note, actionTypeKey: 'shout' }))[0],
    /^actions\[0\]\.actionTypeKey must be one of .*httpRequest, log$/,
  );
  for (const message of ['{{a b}}', '{{', '{{trigger.entity.id', '{{}}', '{{a..b}}', '{{1 + 1}}', '{{a[0}}'])
    assert.match(
      (await withActions({ ...note, params: { message } }))[0],
      /^actions\[0\]\.params\.message contains /,
      message,
    );
  let deep: unknown = 'x';
  for (let level = 0; level < 70; level += 1) deep = [deep];
  assert.match((await withActions({ ...note, params: { deep } }))[0], /nested deeper than 64 levels$/);
  const most = Array.from({ length: 51 }, (_each, index) => ({ ...note, key: `k${index}` }));
  assert.match((await withActions(...most))[0], /^actions /);
  assert.deepEqual(
    await faultsOf(
      definition('x', {
        actions: most.slice(0, 30),
        conditionalActions: [{ ...other, actions: most.slice(30) }],
      }),
    ),
    ['actions must have at most 50 items, including those of conditionalActions and on_failure'],
  );
  const large = { ...note, params: { message: 'x'.repeat(300_000) } };
  assert.deepEqual(await withActions(large), ['actions must have at most 262144 characters as JSON']);
  // The parts of an oversized definition are not checked: they could be thousands of patterns.
  const unknown = { ...large, actionTypeKey: 'nothing' };
  assert.deepEqual(await withActions(unknown), ['actions must have at most 262144 characters as JSON']);

  assert.match(
    (await withRules({ field: 'total', operator: 'like', value: 1 }))[0],
    /^conditionalActions\[0\]\.condition\.rules\[0\]\.operator must be one of equals, /,
  );
  assert.match((await withRules({ field: 'a b' }))[0], /rules\[0\]\.field contains /);
  assert.match(
    (await withRules({ field: 'a', operator: 'matches', value: '(' }))[0],
    /rules\[0\]\.value must be an RE2 regular expression/,
  );
  assert.match(
    (await withRules({ rules: [1], combinator: 'and' }))[0],
    /rules\[0\]\.rules\[0\] must be an object/,
  );
  assert.match(
    (await withRules({ rules: [], combinator: 'xor' }))[0],
    /rules\[0\]\.combinator must be and or or/,
  );
});

test('an existing key, a missing entity and an invalid form are different errors', async () => {
  await create('taken');
  assert.equal((await api.post(path, definition('taken'), 409)).body.code, 'DUPLICATE_AUTOMATION');
  const unknown = await api.post(
    path,
    definition('u', { triggerType: 'afterCreate', entityKey: 'invoice' }),
    422,
  );
  assert.deepEqual([unknown.body.code, unknown.body.issues[0].field], ['VALIDATION_ERROR', 'entityKey']);
  await api.post(path, [], 400);
  await api.post(path, undefined, 400);
});

test('a replace changes everything but the key, checks the version, and adds to history', async () => {
  await create('changing', { actions: [note], module: 'a', active: false });
  const { key: _key, ...body } = definition('changing', { name: 'Changed' });
  assert.deepEqual((await api.put(`${path}/changing`, { ...body, version: 1 })).body, { key: 'changing' });
  const read = (await api.get(`${path}/changing`)).body;
  assert.deepEqual(
    [read.name, read.version, read.actions, read.module, read.active],
    ['Changed', 2, [note], 'a', false],
  );
  assert.equal(
    (await api.put(`${path}/changing`, { ...body, version: 1 }, 409)).body.code,
    'VERSION_CONFLICT',
  );
  assert.equal(
    (await api.put(`${path}/changing`, { ...body, key: 'other' }, 409)).body.code,
    'IMMUTABLE_FIELD',
  );
  await api.put(`${path}/changing`, { ...body, key: 'changing', active: true });
  assert.equal((await api.put(`${path}/changing`, { name: 'x' }, 400)).body.code, 'INVALID_AUTOMATION');
  assert.equal(
    (await api.put(`${path}/changing`, { ...body, entityKey: 'invoice' }, 422)).body.code,
    'VALIDATION_ERROR',
  );
  await api.put(`${path}/absent`, body, 404);

  assert.deepEqual((await api.delete(`${path}/changing`)).body, { key: 'changing' });
  await api.get(`${path}/changing`, 404);
  await api.delete(`${path}/changing`, 404);
  await create('changing');
  assert.equal((await api.get(`${path}/changing`)).body.version, 4);
});

test('the list is filtered and searched', async () => {
  const other = await app.createTenant();
  for (const key of ['one', 'two']) await other.api.post(path, definition(key, { name: `Name ${key}` }));
  await other.api.post(
    path,
    definition('three', { triggerType: 'mqHandler', triggerParams: { queueName: 'q' }, active: false }),
  );
  const list = async (more: object) =>
    (await other.api.post(`${path}/list`, { page: 1, limit: 10, ...more })).body.results.map(
      ({ key }: { key: string }) => key,
    );
  assert.deepEqual(await list({}), ['three', 'two', 'one']);
  assert.deepEqual(await list({ filters: { triggerType: { operation: 'eq', value: 'webhook' } } }), [
    'two',
    'one',
  ]);
  assert.deepEqual(await list({ filters: { active: { operation: 'eq', value: false } } }), ['three']);
  assert.deepEqual(await list({ search: 'name on' }), ['one']);
});

test('every member reads automations, and only owners write them', async () => {
  await create('guarded', { triggerParams: { path: '/guarded' } });
  const { api: editor } = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'admin' }]);
  const { key: read, webhook_url } = (await editor.get(`${path}/guarded`)).body;
  // Anybody with the URL is authorized.
  assert.deepEqual([read, webhook_url], ['guarded', undefined]);
  const { key, ...body } = definition('guarded');
  for (const call of [
    () => editor.post(path, definition('new'), 403),
    () => editor.put(`${path}/${key}`, body, 403),
    () => editor.delete(`${path}/${key}`, 403),
    () => editor.post(`${path}/${key}/run`, {}, 403),
    () => editor.get(`${path}/${key}/runs`, 403),
  ])
    assert.equal((await call()).body.code, 'FORBIDDEN');
});

test('action types are listed with the schemas of their parameters', async () => {
  const { results } = (await api.get(`${path}/action-types`)).body;
  const log = results.find(({ key }: { key: string }) => key === 'log');
  assert.deepEqual(log.params.required, ['message']);
  assert.ok(
    results.every((each: object) => ['key', 'name', 'description', 'params'].every((name) => name in each)),
  );
});
