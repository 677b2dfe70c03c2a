/** Records of kilobytes and megabytes are returned unchanged, and never more of them at once than memory allows. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createRecordsTenant, type Definition } from '../harness/records.ts';
import { startTestApp } from '../harness/test-app.ts';

const KB = 1024;
const MB = 1024 * KB;
const app = await startTestApp();

const ENTITIES: readonly Definition[] = [
  {
    name: 'shelf',
    fields: [
      { name: 'label', type: 'string' },
      { name: 'note', type: 'text' },
      { name: 'books', type: 'relation', relation: { entity: 'book', kind: 'has_many', field: 'shelf' } },
    ],
  },
  {
    name: 'book',
    fields: [
      { name: 'number', type: 'integer' },
      { name: 'text', type: 'text' },
      { name: 'more', type: 'text' },
      { name: 'details', type: 'json' },
      { name: 'shelf', type: 'relation', relation: { entity: 'shelf', kind: 'belongs_to' } },
      { name: 'next', type: 'relation', relation: { entity: 'book', kind: 'belongs_to' } },
    ],
  },
];
const tenant = await createRecordsTenant(app, ENTITIES);
const { owner } = tenant;

/** Returns a text of this many bytes, with characters that JSON and UTF-8 can write in several ways. */
const text = (bytes: number) => 'ä"\\n'.repeat(bytes / 5);
const plain = (bytes: number) => 'x'.repeat(bytes);
/**
 * Sizes that are read with the page, in a chunk with others, and alone; the first and last of a page have both kinds.
 */
const SIZES = [20, 30, 1, 1, 700, 500, 1].map((size) => size * KB);

async function create(entity: string, body: object): Promise<string> {
  return (await owner.post(`/api/${entity}`, body)).body.id;
}

test('a page of short and long records returns each like GET, in order, with the total', async () => {
  const ids: string[] = [];
  for (const [number, size] of SIZES.entries())
    ids.push(
      await create('book', { number, text: text(size), details: { n: [number], more: text(size / 2) } }),
    );
  const expected = [];
  for (const id of ids) expected.push((await owner.get(`/api/book/${id}`)).body);
  const whole = await owner.get('/api/book?sort=number&per_page=100');
  assert.match(whole.headers.get('content-type') ?? '', /^application\/json/);
  const pagination = { page: 1, per_page: 100, total: SIZES.length, total_pages: 1 };
  assert.deepEqual(whole.body, { data: expected, pagination });
  assert.deepEqual(Object.keys(whole.body), ['data', 'pagination']);
  const page = (await owner.get('/api/book?sort=number&per_page=3&page=2')).body;
  assert.deepEqual(page.data, expected.slice(3, 6));
  assert.deepEqual(page.pagination, { page: 2, per_page: 3, total: SIZES.length, total_pages: 3 });
  // A page on which all are long, and one that is empty.
  const long = (await owner.get('/api/book?number__in=4,5&sort=-number')).body;
  assert.deepEqual(long.data, [expected[5], expected[4]]);
  assert.deepEqual((await owner.get('/api/book?sort=number&per_page=3&page=9')).body.data, []);
});

test('omitted fields do not count as part of a long record', async () => {
  const { data } = (await owner.get('/api/book?fields=number,details&sort=number')).body;
  assert.deepEqual(
    data.map((record: object) => Object.keys(record)),
    SIZES.map(() => ['id', 'number', 'details']),
  );
  assert.deepEqual(
    data.map(({ details }: { details: { more: string } }) => details.more),
    SIZES.map((size) => text(size / 2)),
  );
});

test('long records and long included records share one memory limit', async () => {
  const shelf_id = await create('shelf', { label: 'A', note: text(300 * KB) });
  const first = await create('book', { number: 100, text: text(100 * KB), shelf_id });
  const second = await create('book', { number: 101, text: 'short', shelf_id, next_id: first });
  const [shelf, one, two] = [
    (await owner.get(`/api/shelf/${shelf_id}`)).body,
    (await owner.get(`/api/book/${first}`)).body,
    (await owner.get(`/api/book/${second}`)).body,
  ];
  const listed = (await owner.get('/api/book?number__gte=100&sort=number&include=shelf,next')).body.data;
  assert.deepEqual(listed, [
    { ...one, shelf, next: null },
    { ...two, shelf, next: one },
  ]);
  const [found] = (await owner.get('/api/shelf?include=books')).body.data;
  assert.deepEqual(found, { ...shelf, books: [two, one] });
  assert.deepEqual((await owner.get(`/api/shelf/${shelf_id}?include=books`)).body, found);

  await create('book', { number: 102, text: plain(8 * MB), shelf_id });
  await create('book', { number: 103, text: plain(8 * MB), shelf_id });
  for (const path of [`/api/shelf/${shelf_id}?include=books`, '/api/book?number__gte=102&include=shelf']) {
    const refused = (await owner.get(path, 400)).body;
    assert.equal(refused.errors[0].field, 'include', path);
  }
  assert.equal((await owner.get('/api/book?number__gte=102')).body.data.length, 2);
});

test('a change that would exceed the maximum size of a record is rejected without effect', async () => {
  const large = plain(9 * MB);
  const id = await create('book', { number: 200, text: large });
  const refused = (await owner.put(`/api/book/${id}`, { more: large }, 400)).body;
  assert.match(refused.errors[0].message, /^A record must have at most \d+ characters/);
  const bulk = { filter: { number: 200 }, update: { more: large } };
  assert.deepEqual((await owner.put('/api/book/bulk', bulk, 400)).body, refused);
  assert.equal((await owner.get(`/api/book/${id}?fields=more`)).body.more, null);
  await owner.put(`/api/book/${id}`, { more: plain(3 * MB) });
  await owner.put('/api/book/bulk', { filter: { number: 200 }, update: { more: plain(4 * MB) } });
  assert.equal((await owner.get(`/api/book/${id}?fields=more`)).body.more.length, plain(4 * MB).length);
});
