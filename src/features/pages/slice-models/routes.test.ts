import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { createMember, createUnit } from '../../../../test/harness/members.ts';
import { startTestApp, type TestTenant } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const tenant = await app.createTenant();
const { api } = tenant;

async function createProject(more: object = {}, { api: own } = tenant): Promise<string> {
  const metadata = { name: 'Site', description: 'A site', ...more };
  return (await own.put(`/api/pages/project_metadata/p-${randomUUID()}`, metadata)).body.id;
}
const pathOf = (projectId: string) => `/api/pages/${projectId}/slice-model`;

const projectId = await createProject();
const path = pathOf(projectId);
const body = (id: string, more: object = {}) => ({ id, name: `Slice ${id}`, ...more });
const idsOf = ({ body: { results } }: { body: { results: { id: string }[] } }) => results.map(({ id }) => id);

test('a slice is created with defaults, read, replaced and deleted, and every version stays readable', async () => {
  assert.deepEqual((await api.put(path, body('hero'))).body, { id: 'hero' });
  const { created_at, updated_at, ...first } = (await api.get(`${path}/hero`)).body;
  assert.equal(created_at, updated_at);
  assert.deepEqual(first, {
    id: 'hero',
    type: 'SharedSlice',
    name: 'Slice hero',
    description: null,
    kind: 'section',
    origin: 'bespoke',
    status: 'stable',
    category: null,
    tags: [],
    keywords: [],
    media: [],
    variations: [],
    project_id: projectId,
    version: 1,
  });
  const variations = [
    {
      version: 'v1',
      id: 'default',
      name: 'Default',
      docURL: null,
      imageUrl: 'https://example.com/a.png',
      primary: { Main: { title: { type: 'Hologram', config: { z: 1, a: 2 } } } },
      items: {},
      columns: [{ allow: '*' }, { allow: ['card'], more: 1 }],
      unknown: { kept: ['as', 'is'] },
    },
  ];
  const more = {
    description: 'Large',
    kind: 'layout',
    status: 'beta',
    category: 'Headers',
    tags: ['a', 'b'],
    keywords: ['k'],
    media: ['video'],
    variations,
  };
  await api.put(path, body('hero', more));
  const { text, body: second } = await api.get(`${path}/hero`);
  assert.equal(second.version, 2);
  for (const [name, value] of Object.entries(more)) assert.deepEqual(second[name], value);
  assert.ok(text.includes(`"variations":${JSON.stringify(variations)}`), text);
  assert.deepEqual((await api.delete(`${path}/hero`)).body, { id: 'hero' });
  await api.get(`${path}/hero`, 404);
  await api.delete(`${path}/hero`, 404);
  const key = `entityType=pages_slice_model&entitySortKey=${encodeURIComponent(`${projectId}#hero`)}`;
  const versions = (await api.get(`/api/entity/versions?${key}`)).body;
  assert.deepEqual(versions[1].data.variations, variations);
  const deleted = (await api.get('/api/entity/deleted-records?entityType=pages_slice_model')).body;
  assert.equal(deleted[0].sk, `${projectId}#hero`);
  await api.put(path, body('hero'));
  assert.equal((await api.get(`${path}/hero`)).body.version, 3);
  await api.put(path, body('hero', { version: 2 }), 409);
});

for (const [what, change, field] of [
  ['no id', { id: undefined }, 'id'],
  ['an id of other signs', { id: '../x' }, 'id'],
  ['no name', { name: undefined }, 'name'],
  ['another type', { type: 'Slice' }, 'type'],
  ['an unknown kind', { kind: 'page' }, 'kind'],
  ['an unknown origin', { origin: 'shop' }, 'origin'],
  ['an unknown status', { status: 'old' }, 'status'],
  ['tags that are no list', { tags: 'a' }, 'tags'],
  ['a tag that is no text', { tags: ['a', 1] }, 'tags[1]'],
  ['variations that are no list', { variations: {} }, 'variations'],
  ['a variation without id', { variations: [{ name: 'x' }] }, 'variations[0].id'],
  [
    'a column that allows a number',
    { variations: [{ id: 'a', columns: [{ allow: 5 }] }] },
    'variations[0].columns[0].allow',
  ],
  ['more than 1 MiB', { variations: [{ id: 'x'.repeat(1024 * 1024) }] }, 'variations'],
] as const) {
  test(`a slice with ${what} is rejected by name`, async () => {
    const answer = await api.put(path, body('refused', change), 400);
    assert.equal(answer.body.code, 'INVALID_REQUEST');
    assert.deepEqual(
      answer.body.issues.map((issue: { field: string }) => issue.field),
      [field],
    );
    await api.get(`${path}/refused`, 404);
  });
}

const facetSlices = [
  body('one', { category: 'Headers', tags: ['red', 'wide', 'red'], media: ['video'], kind: 'section' }),
  body('two', { category: 'Headers', tags: ['red'], status: 'beta', kind: 'layout' }),
  body('three', { category: 'Footers', tags: ['blue'], media: ['video', 'image'], kind: 'block' }),
  body('four', { name: 'Wide quote', tags: [], status: 'deprecated' }),
];
const facetPath = pathOf(await createProject());
for (const slice of facetSlices) await api.put(facetPath, slice);
const listed = async (query: string) => {
  const answer = await api.get(`${facetPath}?${query}`);
  return { ids: idsOf(answer), ...answer.body };
};

test('a list contains all slices, newest first, with counts of each value', async () => {
  const { ids, total, totalPages, facets, results } = await listed('');
  assert.deepEqual([ids, total, totalPages], [['four', 'three', 'two', 'one'], 4, 1]);
  assert.deepEqual(facets, {
    category: { Headers: 2, Footers: 1 },
    tags: { red: 2, wide: 1, blue: 1 },
    media: { video: 2, image: 1 },
    origin: { bespoke: 4 },
    status: { stable: 2, beta: 1, deprecated: 1 },
  });
  assert.deepEqual(results[3], (await api.get(`${facetPath}/one`)).body);
});

test('each facet counts the matches of all filters but its own', async () => {
  const { ids, total, facets } = await listed('category[]=Headers&tags[]=blue&tags[]=red&status[]=beta');
  assert.deepEqual([ids, total], [['two'], 1]);
  assert.deepEqual(facets, {
    category: { Headers: 1 },
    tags: { red: 1 },
    media: {},
    origin: { bespoke: 1 },
    // Counts those with the category and the tags.
    status: { stable: 1, beta: 1 },
  });
  const blue = (await listed('tags[]=blue')).facets;
  assert.deepEqual(blue.category, { Footers: 1 });
  assert.deepEqual(blue.tags, { red: 2, wide: 1, blue: 1 });
});

test('filters may be repeated, with or without [], and are combined with and', async () => {
  for (const [query, ids] of [
    ['kind[]=layout&kind[]=block', ['three', 'two']],
    ['kind=layout&kind=block', ['three', 'two']],
    ['kind=layout', ['two']],
    ['kind%5B%5D=layout', ['two']],
    ['media[]=image', ['three']],
    ['origin[]=core', []],
    ['kind[]=section&status[]=stable', ['one']],
    ['availableSliceIds[]=one&availableSliceIds[]=two&availableSliceIds[]=none', ['two', 'one']],
    ['availableSliceIds[]=one&kind[]=layout', []],
    ['searchText=QUOTE%20wide', ['four']],
    ['searchText=100%25', []],
  ] as const) {
    const answer = await listed(query);
    assert.deepEqual([answer.ids, answer.total], [ids, ids.length], query);
  }
  // Filters that are not facets narrow all facet counts.
  assert.deepEqual((await listed('kind[]=layout')).facets.tags, { red: 1 });
  assert.deepEqual((await listed('availableSliceIds[]=three')).facets.media, { video: 1, image: 1 });
});

test('an unknown value matches no slice', async () => {
  for (const name of ['kind', 'category', 'tags', 'media', 'origin', 'status', 'availableSliceIds']) {
    const { ids, total, totalPages } = await listed(`${name}[]=nothing`);
    assert.deepEqual([ids, total, totalPages], [[], 0, 0], name);
  }
});

test('a list is paged, and sorted by the last change on request', async () => {
  const site = pathOf(await createProject());
  for (const id of ['a', 'b', 'c']) await api.put(site, body(id));
  await api.put(site, body('a', { category: 'x' }));
  assert.deepEqual(idsOf(await api.get(`${site}?sortBy=updated_at`)), ['a', 'c', 'b']);
  assert.deepEqual(idsOf(await api.get(`${site}?sortBy=created_at`)), ['c', 'b', 'a']);
  const second = await api.get(`${site}?page=2&limit=2`);
  assert.deepEqual([idsOf(second), second.body.total, second.body.totalPages], [['a'], 3, 2]);
  assert.deepEqual(second.body.facets.category, { x: 1 });
  assert.deepEqual(idsOf(await api.get(`${site}?page=7`)), []);
  for (const query of ['limit=101', 'page=0', 'sortBy=name', 'sortBy[]=name&sortBy=created_at&sortBy=x'])
    assert.equal((await api.get(`${site}?${query}`, 400)).body.code, 'INVALID_REQUEST');
});

test('slices are listed by name in both orders and in pages, including core slices', async () => {
  const site = pathOf(await createProject());
  const other = pathOf(await createProject());
  const [core, ...own] = [`m-${randomUUID()}`, 'x', 'y', 'z'];
  await api.put(other, { ...body(core), name: 'b', origin: 'core' });
  for (const [index, id] of own.entries())
    await api.put(site, {
      ...body(id),
      name: 'cab'[index],
      variations: [{ id: 'v', more: 'x'.repeat(20_000) }],
    });
  const ids = `availableSliceIds[]=${[core, ...own].join('&availableSliceIds[]=')}`;
  const read = async (sort: string) => {
    const found: object[] = [];
    let after = '';
    for (;;) {
      const query = `${ids}&sort=${sort}&limit=1&count=false&fields[]=id&fields[]=name${after}`;
      const { results, next, facets, total } = (await api.get(`${site}?${query}`)).body;
      assert.deepEqual([total, facets.origin], [undefined, { bespoke: 3, core: 1 }]);
      found.push(...results);
      if (next === null) return found;
      after = `&after=${next}`;
    }
  };
  const expected = [
    { id: 'y', name: 'a' },
    { id: core, name: 'b' },
    { id: 'z', name: 'b' },
    { id: 'x', name: 'c' },
  ];
  assert.deepEqual(await read('name'), expected);
  assert.deepEqual(await read('-name'), expected.toReversed());
  const page = (await api.get(`${site}?${ids}&sort=name&limit=4`)).body;
  assert.deepEqual([idsOf({ body: page }), page.total], [expected.map(({ id }) => id), 4]);
  assert.equal(page.results[0].variations[0].more.length, 20_000);
  // Every project of the tenant would list it.
  await api.delete(`${other}/${core}`);
});

test('values named like object members are counted like others', async () => {
  const site = pathOf(await createProject());
  await api.put(site, body('a', { category: '__proto__', tags: ['constructor', '__proto__', 'toString'] }));
  await api.put(site, body('b', { category: '"quoted" \\ ü', media: ['__proto__'] }));
  const { facets } = (await api.get(site)).body;
  assert.deepEqual(Object.entries(facets.category).sort(), [
    ['"quoted" \\ ü', 1],
    ['__proto__', 1],
  ]);
  assert.deepEqual(Object.keys(facets.tags).sort(), ['__proto__', 'constructor', 'toString']);
  assert.deepEqual(idsOf(await api.get(`${site}?category[]=__proto__`)), ['a']);
  assert.deepEqual(idsOf(await api.get(`${site}?__proto__[]=x`)), ['b', 'a']);
});

test('large slices are listed completely', async () => {
  const site = pathOf(await createProject());
  const variations = (size: number) => [
    { id: 'default', description: 'x'.repeat(size), more: { b: 1, a: 2 } },
  ];
  await api.put(site, body('large', { variations: variations(900_000), category: '__proto__' }));
  await api.put(site, body('small', { variations: variations(1) }));
  const answer = await api.get(`${site}?sortBy=created_at`);
  assert.deepEqual([idsOf(answer), answer.body.total], [['small', 'large'], 2]);
  assert.deepEqual(answer.body.results[1], (await api.get(`${site}/large`)).body);
  assert.deepEqual(Object.keys(answer.body.facets.category), ['__proto__']);
});

test('a missing project has no slices to read or write', async () => {
  const absent = pathOf(randomUUID());
  for (const call of [
    api.get(absent, 404),
    api.get(`${absent}/hero`, 404),
    api.put(absent, body('hero'), 404),
    api.delete(`${absent}/hero`, 404),
  ])
    assert.equal((await call).body.code, 'NOT_FOUND');
});

/** Creates a tenant with projects in two units, and a member who is admin of one of the units. */
async function createTwoSites(own: TestTenant) {
  const north = await createUnit(own, 'North');
  const home = pathOf(await createProject({}, own));
  const other = pathOf(await createProject({ business_unit_id: north }, own));
  const admin = await createMember(own, [{ bu_id: north, role: 'admin' }]);
  return { home, other, admin: admin.api };
}

test('a core slice belongs to the tenant: every project has it, only owners write it', async () => {
  const own = await app.createTenant();
  const { home, other, admin } = await createTwoSites(own);
  await own.api.put(home, body('menu', { origin: 'core', category: 'Navigation' }));
  await admin.put(other, body('card'));
  const list = await admin.get(other);
  assert.deepEqual(idsOf(list), ['card', 'menu']);
  assert.deepEqual(list.body.facets.origin, { core: 1, bespoke: 1 });
  assert.deepEqual(list.body.facets.category, { Navigation: 1 });
  assert.deepEqual(idsOf(await admin.get(`${other}?origin[]=core`)), ['menu']);
  assert.equal((await admin.get(`${other}/menu`)).body.origin, 'core');
  assert.equal((await admin.put(other, body('menu', { origin: 'core' }), 403)).body.code, 'FORBIDDEN');
  assert.equal((await admin.put(other, body('mine', { origin: 'core' }), 403)).body.code, 'FORBIDDEN');
  assert.equal((await admin.put(other, body('card', { origin: 'core' }), 403)).body.code, 'FORBIDDEN');
  assert.equal((await admin.delete(`${other}/menu`, 403)).body.code, 'FORBIDDEN');
  await admin.get(home, 404);
  // Tenant owners write it through any project, and it stays the same slice.
  await own.api.put(other, body('menu', { origin: 'core', name: 'Main menu' }));
  const read = (await own.api.get(`${home}/menu`)).body;
  assert.deepEqual([read.name, read.version], ['Main menu', 2]);
  await own.api.delete(`${other}/menu`);
  await own.api.get(`${home}/menu`, 404);
});

test("a bespoke slice hides the core slice with its id in its project, and does not receive that one's updates", async () => {
  const own = await app.createTenant();
  const { home, other, admin } = await createTwoSites(own);
  await own.api.put(home, body('menu', { origin: 'core' }));
  await admin.put(other, body('menu', { name: 'Our menu' }));
  await own.api.put(home, body('menu', { origin: 'core', name: 'New menu' }));
  const names = async (at: string) =>
    (await own.api.get(at)).body.results.map(({ name, origin }: { name: string; origin: string }) => [
      name,
      origin,
    ]);
  assert.deepEqual(await names(other), [['Our menu', 'bespoke']]);
  assert.deepEqual(await names(home), [['New menu', 'core']]);
  assert.equal((await own.api.get(`${other}/menu`)).body.name, 'Our menu');
  const second = await own.api.put(other, body('menu', { origin: 'core' }), 422);
  assert.equal(second.body.code, 'VALIDATION_ERROR');
  await admin.delete(`${other}/menu`);
  assert.deepEqual(await names(other), [['New menu', 'core']]);
  // Members of a unit may not copy a core slice in the project where it is stored.
  const editor = await createMember(own, [{ bu_id: own.defaultUnitId, role: 'editor' }]);
  await editor.api.put(home, body('menu'), 403);
});

test("a slice may become core and bespoke again, and another tenant's core slices are unknown", async () => {
  const own = await app.createTenant();
  const { home, other } = await createTwoSites(own);
  await own.api.put(home, body('menu'));
  await own.api.get(`${other}/menu`, 404);
  await own.api.put(home, body('menu', { origin: 'core' }));
  await own.api.get(`${other}/menu`);
  await api.get(`${path}/menu`, 404);
  await own.api.put(home, body('menu', { origin: 'bespoke' }));
  await own.api.get(`${other}/menu`, 404);
  assert.equal((await own.api.get(`${home}/menu`)).body.version, 3);
});
