import assert from 'node:assert/strict';
import test from 'node:test';
import { uploadBytes } from '../../../../test/harness/asset-files.ts';
import { createMember, createUnit } from '../../../../test/harness/members.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { startReceiver } from '../../../../test/harness/receiver.ts';
import { createForm, formBody, submit } from '../../../../test/harness/sample-forms.ts';
import { createWebhook } from '../../../../test/harness/submission-load.ts';
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

test('owners find members by id and whole address, others never', async () => {
  const tenant = await app.createTenant();
  const { api, defaultUnitId } = tenant;
  const grace = await createMember(tenant, [{ bu_id: defaultUnitId, role: 'admin' }], {
    name: 'Grace Hopper',
  });
  const queries = [grace.email.toUpperCase(), grace.membershipId, grace.membershipId.toUpperCase()];
  for (const query of queries)
    assert.deepEqual(await search(api, query), [
      {
        entity_type: 'tenant_membership',
        key: grace.membershipId,
        title: 'Grace Hopper',
        subtitle: grace.email,
        business_unit: null,
      },
    ]);
  assert.deepEqual(await search(api, grace.email.slice(0, 20)), []);
  const { api: other } = await app.createTenant();
  for (const query of queries)
    for (const client of [grace.api, other]) assert.deepEqual(await search(client, query), [], query);
});

test('members with a unit find assets by id and the beginning of the file name', async () => {
  const tenant = await app.createTenant();
  const { api } = tenant;
  const id = await uploadBytes(api, '1 EUR', 'Price list.txt');
  const viewer = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'viewer' }]);
  const found = {
    entity_type: 'asset',
    key: id,
    title: 'Price list.txt',
    subtitle: null,
    business_unit: null,
  };
  const outsiders = [(await createMember(tenant, [])).api, (await app.createTenant()).api];
  for (const query of [id, 'price']) {
    for (const client of [api, viewer.api]) assert.deepEqual(await search(client, query), [found]);
    for (const client of outsiders) assert.deepEqual(await search(client, query), []);
  }
  assert.deepEqual(await search(api, 'list'), []);
});

test('members with a unit find sending domains by name, in any spelling, and by its beginning', async () => {
  const tenant = await app.createTenant();
  const { api } = tenant;
  for (const domain of ['bücher.example', 'news.example'])
    await api.post('/api/email_settings/sending_domains', { domain });
  const viewer = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'viewer' }]);
  const outsiders = [(await createMember(tenant, [])).api, (await app.createTenant()).api];
  for (const [query, domain] of [
    ['Bücher.example', 'xn--bcher-kva.example'],
    ['News.Example', 'news.example'],
    ['NEWS', 'news.example'],
  ] as const) {
    const found = {
      entity_type: 'sending_domain',
      key: domain,
      title: domain,
      subtitle: null,
      business_unit: null,
    };
    for (const client of [api, viewer.api]) assert.deepEqual(await search(client, query), [found], query);
    for (const client of outsiders) assert.deepEqual(await search(client, query), [], query);
  }
  assert.deepEqual(await search(api, 'example'), []);
});

test('a delivery is found by its id, by members of the unit of its webhook', async () => {
  const tenant = await app.createTenant();
  const { api } = tenant;
  const [garden, kitchen] = [await createUnit(tenant, 'Garden'), await createUnit(tenant, 'Kitchen')];
  const code = await createForm(api, { business_unit: garden });
  await createWebhook(api, code, (await startReceiver()).url);
  await submit(api, code);
  const key = await eventually('the delivery', async () => {
    const { results } = (await api.post('/api/deliveries/list', { page: 1, limit: 1 })).body;
    return results[0] && String(results[0].id);
  });
  const member = async (bu_id: string) => (await createMember(tenant, [{ bu_id, role: 'viewer' }])).api;
  const found = {
    entity_type: 'webhook_delivery',
    key,
    title: 'Receiver',
    subtitle: null,
    business_unit: garden,
  };
  for (const client of [api, await member(garden)]) {
    assert.deepEqual(await search(client, key), [found]);
    assert.deepEqual(await search(client, key.toUpperCase(), { types: ['webhook_delivery'] }), [found]);
  }
  const outsiders = [
    await member(kitchen),
    (await createMember(tenant, [])).api,
    (await app.createTenant()).api,
  ];
  for (const client of outsiders) assert.deepEqual(await search(client, key), []);
});
