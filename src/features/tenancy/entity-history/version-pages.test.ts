import assert from 'node:assert/strict';
import test from 'node:test';
import { createForm } from '../../../../test/harness/sample-forms.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const app = await startTestApp();

/** Creates a list with four versions, and returns a function that reads versions. */
async function createRecord() {
  const { api } = await app.createTenant();
  const { id } = (await api.post('/api/lists', { name: 'One' })).body;
  for (const name of ['Two', 'Three']) await api.patch(`/api/lists/${id}`, { name });
  await api.patch(`/api/lists/${id}`, { name: 'Four', description: 'The fourth' });
  const versions = async (query: string, status = 200) =>
    (await api.get(`/api/entity/versions?entityType=marketing_list&entitySortKey=${id}&${query}`, status))
      .body;
  return { api, id, versions };
}

const numbers = (versions: readonly { version: number }[]) => versions.map(({ version }) => version);

test('a page has the versions of its place in either order', async () => {
  const { versions } = await createRecord();
  assert.deepEqual(numbers(await versions('limit=3')), [1, 2, 3]);
  assert.deepEqual(numbers(await versions('limit=3&page=2')), [4]);
  assert.deepEqual(numbers(await versions('limit=3&order=desc')), [4, 3, 2]);
  assert.deepEqual(numbers(await versions('order=desc')), [4, 3, 2, 1]);
  assert.deepEqual(await versions('page=9'), []);
});

test('the versions of a page name the members that each has changed, with and without data', async () => {
  const { versions } = await createRecord();
  const changes = [[], ['name'], ['name'], ['description', 'name']];
  const page = await versions('limit=100');
  assert.deepEqual(
    page.map(({ changed_fields }: { changed_fields: string[] }) => changed_fields),
    changes,
  );
  assert.equal(page[3].data.description, 'The fourth');
  const lean = await versions('data=false');
  assert.deepEqual(
    lean.map(({ changed_fields }: { changed_fields: string[] }) => changed_fields),
    changes,
  );
  assert.deepEqual(Object.keys(lean[0]).sort(), ['actor', 'changed_fields', 'timestamp', 'version']);
  assert.equal(lean[0].actor.name, 'Owner');
});

test('without parameters of a page, the versions are as documented', async () => {
  const { versions } = await createRecord();
  const [first] = await versions('');
  assert.deepEqual(Object.keys(first).sort(), ['actor', 'data', 'timestamp', 'version']);
});

test('from the version on at which a page exceeds 1 MiB, versions have no data', async () => {
  const { api } = await app.createTenant();
  const code = await createForm(api, { name: 'Large' });
  for (const letter of ['a', 'b', 'c'])
    await api.patch(`/api/forms/${code}`, {
      formBuilderOptions: large(letter),
    });
  const path = `/api/entity/versions?entityType=form&entitySortKey=${code}`;
  const page = (await api.get(`${path}&order=desc`)).body;
  assert.deepEqual(
    page.map(({ version, data }: { version: number; data?: unknown }) => [version, data !== undefined]),
    [
      [4, true],
      [3, true],
      [2, false],
      [1, false],
    ],
  );
  assert.equal((await api.get(path)).body.length, 4);
});

/** A form definition of 400 kB. */
function large(letter: string): object {
  const html = letter.repeat(400_000);
  return { pages: [{ name: 'page', elements: [{ type: 'html', name: 'text', html }] }] };
}

test('parameters of a page outside their range are refused by name', async () => {
  const { versions } = await createRecord();
  for (const [query, field] of [
    ['limit=101', 'limit'],
    ['page=0', 'page'],
    ['order=newest', 'order'],
    ['data=no', 'data'],
  ])
    assert.equal((await versions(query ?? '', 400)).issues[0].field, field);
});

test('another tenant sees no versions in a page either', async () => {
  const { id } = await createRecord();
  const { api } = await app.createTenant();
  const path = `/api/entity/versions?entityType=marketing_list&entitySortKey=${id}&data=false`;
  assert.deepEqual((await api.get(path)).body, []);
});
