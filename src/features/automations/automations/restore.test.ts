import assert from 'node:assert/strict';
import test from 'node:test';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const { api } = await app.createTenant();
const path = '/api/automations';
const note = { key: 'note', name: 'Note', actionTypeKey: 'log', params: { message: 'Done' } };

async function create(key: string, more: object = {}) {
  const definition = {
    app: 'shop',
    name: 'Orders',
    triggerType: 'webhook',
    triggerParams: {},
    actions: [note],
  };
  await api.post(path, { ...definition, key, ...more });
}

function restore(key: string, more: object = {}, status = 200) {
  return api.post('/api/entity/restore', { entityType: 'automation', entitySortKey: key, ...more }, status);
}

test('a deleted automation is restored inactive, under a new URL', async () => {
  await create('returns');
  const before = (await api.get(`${path}/returns`)).body;
  await api.delete(`${path}/returns`);
  const { body } = await restore('returns');
  assert.deepEqual([body.version, body.changed_fields], [2, ['active']]);
  const { active, actions, webhook_url } = (await api.get(`${path}/returns`)).body;
  assert.deepEqual([active, actions], [false, before.actions]);
  assert.notEqual(webhook_url, before.webhook_url);
  const post = (url: string) => fetch(url, { method: 'POST' }).then(({ status }) => status);
  assert.equal(await post(before.webhook_url), 404);
  await api.patch(`${path}/returns`, { active: true });
  assert.equal(await post(webhook_url), 202);
  assert.equal(await post(before.webhook_url), 404);
});

test('a deleted automation is restored active if fields or changes say so', async () => {
  await create('runs');
  await api.delete(`${path}/runs`);
  await restore('runs', { changes: { active: true } });
  assert.equal((await api.get(`${path}/runs`)).body.active, true);
  await api.delete(`${path}/runs`);
  await restore('runs', { version: 1, fields: ['active'] });
  assert.equal((await api.get(`${path}/runs`)).body.active, true);
});

test('a URL that another hook uses now is a conflict', async () => {
  await create('first', { triggerParams: { path: 'orders' } });
  await api.delete(`${path}/first`);
  await create('second', { triggerParams: { path: 'orders' } });
  assert.equal((await restore('first', {}, 409)).body.code, 'RESTORE_CONFLICT');
  await restore('first', { changes: { triggerParams: { path: 'other' } } });
});

test('a deleted entity must be restored first', async () => {
  await api.post('/api/entities', { name: 'order', fields: [{ name: 'total', type: 'number' }] });
  await create('told', { triggerType: 'afterCreate', entityKey: 'order' });
  await api.delete(`${path}/told`);
  await api.delete('/api/entities/order');
  assert.equal((await restore('told', {}, 422)).body.issues[0].field, 'entityKey');
  await api.post('/api/entity/restore', { entityType: 'entity', entitySortKey: 'order' });
  await restore('told');
});

test('secret headers are kept by an older version, and must be given again after deletion', async () => {
  const call = {
    key: 'call',
    name: 'Call',
    actionTypeKey: 'httpRequest',
    params: {
      method: 'POST',
      url: 'https://hooks.example/',
      headers: { 'X-Key': { is_secret: true, value: 'one' } },
    },
  };
  await create('calls', { actions: [call] });
  await api.patch(`${path}/calls`, { name: 'Renamed' });
  await restore('calls', { version: 1 });
  const { name, active, version } = (await api.get(`${path}/calls`)).body;
  assert.deepEqual([name, active, version], ['Orders', true, 3]);
  await api.delete(`${path}/calls`);
  const { body } = await restore('calls', {}, 422);
  assert.match(body.issues[0].field, /^actions\[0\]\.params\.headers/);
  await restore('calls', { changes: { actions: [call] } });
});
