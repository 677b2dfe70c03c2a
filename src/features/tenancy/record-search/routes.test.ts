import assert from 'node:assert/strict';
import test from 'node:test';
import { createMember, createUnit } from '../../../../test/harness/members.ts';
import { createForm, formBody, submit } from '../../../../test/harness/sample-forms.ts';
import { startTestApp, type TestTenant } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const app = await startTestApp();

interface Result {
  readonly entity_type: string;
  readonly key: string;
  readonly title: string;
  readonly subtitle: string | null;
  readonly business_unit: string | null;
}

type Api = TestTenant['api'];

async function search(api: Api, query: string, more: object = {}): Promise<Result[]> {
  return (await api.post('/api/search', { query, ...more })).body.results;
}

async function titlesOf(api: Api, query: string, more: object = {}): Promise<string[]> {
  return (await search(api, query, more)).map(({ title }) => title);
}

const ADA = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'Ada@Example.com',
  active: true,
  lists: [],
  audiences: [],
};

test('an email address finds its subscriber and its submissions, in any spelling', async () => {
  const { api } = await app.createTenant();
  const id = (await api.post('/api/subscribers', ADA)).body.id;
  await api.post('/api/subscribers', { ...ADA, first_name: 'Grace', email: 'grace@example.com' });
  const code = await createForm(api, { name: 'Contact' });
  await submit(api, code);
  const results = await search(api, ' ada@EXAMPLE.com ');
  assert.deepEqual(
    results.map(({ entity_type, title, subtitle }) => [entity_type, title, subtitle?.toLowerCase()]).sort(),
    [
      ['form_submission', 'Contact', 'ada@example.com'],
      ['marketing_subscriber', 'Ada Lovelace', 'ada@example.com'],
    ],
  );
  assert.ok(results.some(({ key }) => key === id));
});

test('a record is found by its id and its code, also in capitals', async () => {
  const { api } = await app.createTenant();
  const list = (await api.post('/api/lists', { name: 'Readers' })).body.id;
  const code = await createForm(api, { name: 'Contact' });
  assert.deepEqual(
    (await search(api, list.toUpperCase())).map(({ key }) => key),
    [list],
  );
  assert.deepEqual(
    (await search(api, code)).map(({ key, subtitle }) => [key, subtitle]),
    [[code, code]],
  );
});

test('names are found by their beginning in any letter case, after exact matches', async () => {
  const { api } = await app.createTenant();
  for (const name of ['spring news', 'Spring sale', 'SPRING', 'Summer'])
    await api.post('/api/lists', { name });
  await api.post('/api/entities', { name: 'spring', fields: [{ name: 'title', type: 'string' }] });
  const [first = assert.fail(), ...others] = await search(api, 'spring');
  assert.deepEqual([first.entity_type, first.key], ['entity', 'spring']);
  assert.deepEqual(others.map(({ title }) => title).sort(), ['SPRING', 'Spring sale', 'spring news']);
  assert.deepEqual(await titlesOf(api, 'news'), []);
});

test('each word of a subscriber search is part of the name or address', async () => {
  const { api } = await app.createTenant();
  await api.post('/api/subscribers', ADA);
  assert.deepEqual(await titlesOf(api, 'lovelace ada'), ['Ada Lovelace']);
  assert.deepEqual(await titlesOf(api, 'lovelace grace'), []);
});

test('at most five records of a kind are found, and only of the wanted kinds', async () => {
  const { api } = await app.createTenant();
  for (let number = 1; number <= 7; number++) {
    await api.post('/api/lists', { name: `Autumn ${number}` });
    await api.post('/api/audiences', { name: `Autumn ${number}`, filters: {} });
  }
  assert.equal((await search(api, 'Autumn')).length, 10);
  const types = ['marketing_list'];
  assert.deepEqual(
    (await search(api, 'Autumn', { types })).map(({ entity_type }) => entity_type),
    Array.from({ length: 5 }, () => 'marketing_list'),
  );
  assert.equal((await search(api, 'Autumn', { limit: 3 })).length, 3);
  const { body } = await api.post('/api/search', { query: 'x', types: ['gone'] }, 400);
  assert.equal(body.issues[0].field, 'types[0]');
});

test('a member finds records of its units and of the tenant, another tenant none', async () => {
  const tenant = await app.createTenant();
  const { api } = tenant;
  const [garden, kitchen] = [await createUnit(tenant, 'Garden'), await createUnit(tenant, 'Kitchen')];
  const create = async (name: string, business_unit: string): Promise<string> =>
    (await api.post('/api/forms', formBody({ name, business_unit }))).body.code;
  await create('Order seeds', garden);
  const pans = await create('Order pans', kitchen);
  await api.post('/api/entities', { name: 'orders', fields: [{ name: 'title', type: 'string' }] });
  const gardener = await createMember(tenant, [{ bu_id: garden, role: 'viewer' }]);
  assert.deepEqual((await titlesOf(api, 'order')).sort(), ['Order pans', 'Order seeds', 'orders']);
  assert.deepEqual((await titlesOf(gardener.api, 'order')).sort(), ['Order seeds', 'orders']);
  assert.deepEqual(await search(gardener.api, pans), []);
  assert.deepEqual(await search((await createMember(tenant, [])).api, 'order'), []);
  const other = await app.createTenant();
  assert.deepEqual(await search(other.api, 'order'), []);
  assert.deepEqual(await search(other.api, pans), []);
});

test('wildcards and blanks match nothing by themselves', async () => {
  const { api } = await app.createTenant();
  await api.post('/api/lists', { name: 'Readers' });
  for (const query of ['%', '_eaders', '   ', '\\']) assert.deepEqual(await search(api, query), []);
});
