import assert from 'node:assert/strict';
import test from 'node:test';
import { createRecordsTenant } from '../../../test/harness/records.ts';
import { startTestApp } from '../../../test/harness/test-app.ts';

const app = await startTestApp();
const name = { name: 'name', type: 'string', required: true, unique: true };
const tenant = await createRecordsTenant(app, [{ name: 'thing', fields: [name] }]);
const { api, person } = tenant;

/** Definitions one after the other: fields that come, go and become of another type. */
const STEPS: readonly (readonly object[])[] = [
  [{ name: 'more', type: 'string' }],
  [{ name: 'more', type: 'text', searchable: true }],
  [{ name: 'more', type: 'integer' }],
  [{ name: 'more', type: 'number', indexed: true }],
  [],
  [{ name: 'more', type: 'enum', enum: ['a'] }],
  [{ name: 'other', type: 'boolean', required: true, default: true }],
  [],
];

test('no call fails, and no record is lost, while definitions change under it', async () => {
  let isDone = false;
  let created = 0;
  const statuses = new Set<number>();
  const work = async (worker: number) => {
    for (let turn = 0; !isDone; turn += 1) {
      const made = await person.send('POST', '/api/thing', {
        body: { name: `${worker}-${turn}`, more: null },
      });
      if (made.status === 200) created += 1;
      statuses.add(made.status);
      for (const path of ['/api/thing?sort=name', '/api/thing?more__null=true', '/api/thing?search=x']) {
        const { status, text } = await person.send('GET', path);
        assert.ok(status === 200 || (status === 400 && !path.includes('sort')), text);
      }
      if (made.status !== 200) continue;
      const changed = await person.send('PUT', `/api/thing/${made.body.id}`, { body: { more: null } });
      statuses.add(changed.status);
    }
  };
  const workers = [1, 2, 3].map(work);
  for (const more of STEPS) await api.put('/api/entities/thing', { fields: [name, ...more] });
  isDone = true;
  await Promise.all(workers);
  assert.deepEqual([...statuses], [200]);
  assert.equal((await person.get('/api/thing')).body.pagination.total, created);
});

test('no create fails while required fields come with their defaults, and go', async () => {
  await api.post('/api/entities', { name: 'filled', fields: [name] });
  const flag = { name: 'flag', type: 'boolean', required: true, default: false };
  let isDone = false;
  const refused: string[] = [];
  const work = async (worker: number) => {
    for (let turn = 0; !isDone; turn += 1) {
      const one = await person.send('POST', '/api/filled', { body: { name: `${worker}-${turn}` } });
      const records = [{ name: `${worker}-${turn}-a` }, { name: `${worker}-${turn}-b` }];
      const many = await person.send('POST', '/api/filled/bulk', { body: { records } });
      for (const { status, text } of [one, many]) if (status !== 200) refused.push(text);
    }
  };
  const workers = [1, 2, 3, 4].map(work);
  for (let round = 0; round < 12; round += 1)
    await api.put('/api/entities/filled', { fields: round % 2 === 0 ? [name, flag] : [name] });
  isDone = true;
  await Promise.all(workers);
  assert.deepEqual(refused, []);
});

test('an entity that is dropped and made again is another one', async () => {
  await api.post('/api/entities', { name: 'short', fields: [name] });
  await person.post('/api/short', { name: 'x' });
  await api.delete('/api/entities/short');
  await person.get('/api/short', 404);
  await api.post('/api/entities', { name: 'short', fields: [{ name: 'title', type: 'string' }] });
  assert.equal((await person.get('/api/short')).body.pagination.total, 0);
  assert.equal((await person.post('/api/short', { title: 'y' })).body.title, 'y');
});

test('whoever reads an entity while it is dropped and made again finds it, or finds none', async () => {
  let isDone = false;
  const statuses = new Set<number>();
  const read = async () => {
    while (!isDone) {
      const paths = ['/api/fleeting', '/api/fleeting?name=a', '/api/thing', '/api/openapi.json'];
      for (const { status } of await Promise.all(paths.map((path) => person.send('GET', path))))
        statuses.add(status);
    }
  };
  const work = [read(), read(), read()];
  for (let turn = 0; turn < 15; turn += 1) {
    await api.post('/api/entities', { name: 'fleeting', fields: [name] });
    await api.delete('/api/entities/fleeting');
  }
  isDone = true;
  await Promise.all(work);
  assert.deepEqual([...statuses].sort(), [200, 404]);
});
