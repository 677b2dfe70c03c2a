/** Business units in bodies and filters: by id, slug or name. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createUnit } from '../../test/harness/members.ts';
import { startTestApp } from '../../test/harness/test-app.ts';

const app = await startTestApp();
const tenant = await app.createTenant();
const { api } = tenant;
const unit = await createUnit(tenant, 'North Sea');

test('a body and a filter name a unit by id, slug or name', async () => {
  for (const name of [unit, 'north-sea', 'North Sea'])
    await api.post('/api/lists', { name, business_unit: name });
  await api.post('/api/lists', { name: 'elsewhere' });
  const count = async (filter: unknown) => {
    const filters = { business_unit: filter };
    return (await api.post('/api/lists/list', { page: 1, limit: 20, filters })).body.total;
  };
  for (const value of [unit, 'north-sea', 'North Sea']) {
    assert.equal(await count({ operation: 'eq', value }), 3);
    assert.equal(await count({ eq: value }), 3);
    assert.equal(await count({ ne: value }), 1);
    assert.equal(await count({ in: ['nowhere', value] }), 3);
  }
  assert.equal(await count({ eq: 'South' }), 0);
});

test('a query parameter names a unit in the same way', async () => {
  const assistant = {
    name: 'A',
    description: 'x',
    llmConfiguration: { system: 'x', temperature: 0, model: 'm', max_tokens: 10 },
  };
  await api.post('/api/ai/assistants', { ...assistant, business_unit: 'North Sea' });
  assert.equal((await api.get('/api/ai/assistants?business_unit=North%20Sea')).body.total, 1);
  assert.equal((await api.get('/api/ai/assistants?business_unit=south')).body.total, 0);
});

test('an ambiguous unit name is rejected', async () => {
  for (const slug of ['one', 'two']) await api.post('/api/client/v1/business-units', { name: 'Same', slug });
  const { body } = await api.post('/api/lists', { name: 'A', business_unit: 'Same' }, 400);
  assert.deepEqual(body.issues, [
    { field: 'business_unit', message: 'is the name of several business units; use an id or a slug' },
  ]);
  const filters = { business_unit: { eq: 'Same' } };
  await api.post('/api/lists/list', { page: 1, limit: 20, filters }, 400);
  await api.post('/api/lists', { name: 'A', business_unit: 'one' });
});

test('like compares the ISO text of times', async () => {
  const year = new Date().getUTCFullYear();
  const list = async (filter: unknown) =>
    (await api.post('/api/lists/list', { page: 1, limit: 20, filters: { created_at: filter } })).body.total;
  assert.ok((await list({ like: `${year}-` })) > 0);
  assert.equal(await list({ like: `${year - 2}-` }), 0);
  assert.equal(await list({ nlike: `${year}-` }), 0);
});
