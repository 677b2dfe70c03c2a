/** `tessera import directus` turns collections, items and files of a Directus into entities, records and assets. */
import assert from 'node:assert/strict';
import { access } from 'node:fs/promises';
import test from 'node:test';
import { importDirectus } from '../../src/cli/moving/directus.ts';
import { newStateFile, runImport } from '../harness/imports.ts';
import { runTessera, spawnTessera } from '../harness/process.ts';
import { startReceiver } from '../harness/receiver.ts';
import { startTestApp, type TestTenant } from '../harness/test-app.ts';

const app = await startTestApp();

const ADA = '0bc7b36a-9ba9-4ce0-83f0-0a526f354e07';
const LOGO = '4f4b14fa-a43a-46d0-b7ad-90af5919bebb';
const GONE = '768eabec-3c54-4110-a6bb-64b548116661';
const FOLDER = 'b3000f41-6ce0-4ba3-b362-fb85c9de8579';

const collection = (name: string, meta: object = {}, schema: object | null = { name, comment: null }) => ({
  collection: name,
  meta: { collection: name, icon: null, note: null, hidden: false, singleton: false, ...meta },
  schema,
});
const column = (name: string, type: string, meta: object = {}, schema: object = {}) => {
  const [of = '', field = ''] = name.split('.');
  return {
    ...{ collection: of, field, type },
    meta: { collection: of, field, special: null, interface: 'input', options: null, ...meta },
    schema: { name: field, table: of, is_primary_key: false, is_nullable: true, max_length: null, ...schema },
  };
};
const alias = (name: string, special: string[]) => ({ ...column(name, 'alias', { special }), schema: null });
const key = { is_primary_key: true, is_nullable: false };
const relation = (name: string, related: string | null, meta: object = {}) => {
  const [of = '', field = ''] = name.split('.');
  const many = { many_collection: of, many_field: field, one_collection: related, one_field: null };
  return { collection: of, field, related_collection: related, schema: null, meta: { ...many, ...meta } };
};
const choices = (...values: string[]) => ({
  interface: 'select-dropdown',
  options: { choices: values.map((value) => ({ text: value.toUpperCase(), value })) },
});

const article = (id: number, more: object = {}) => ({
  ...{ id, status: 'draft', title: `Article ${id}`, author: ADA, parent: id === 1 ? null : 1, cover: LOGO },
  ...{ sort: id, price: '12.50000', views: '9007199254740991', published: '2024-02-01T10:00:00' },
  ...{ created: '2021-02-04T11:37:41-05:00', day: '2024-02-29', opens: '08:30:00', tags: ['a', 'b'] },
  ...{ place: { type: 'Point', coordinates: [13.4, 52.5] }, data: { a: [1] }, featured: true, ratio: 0.5 },
  ...{ exact: '12345678901234567890.12', user_created: ADA, Größe: 'L', password: '**********' },
  ...more,
});
const ODD = {
  status: 'odd',
  author: '11111111-1111-4111-8111-111111111111',
  cover: GONE,
  price: '1.2345678901234567',
  views: '9007199254740993',
  published: '0000-00-00T00:00:00',
  title: null,
};

const DATA: Readonly<Record<string, readonly unknown[] | object>> = {
  '/collections': [
    ...['articles', 'authors', 'blogTags', 'articles_blogTags', 'sections'].map((name) => collection(name)),
    collection('settings', { singleton: true }),
    collection('empty', { singleton: true }),
    collection('secret'),
    collection('content', {}, null),
    collection('keyless'),
    collection('directus_users', { system: true }),
    { collection: 'odd', meta: 7 },
  ],
  '/fields': [
    column('articles.id', 'integer', {}, key),
    column('articles.status', 'string', choices('draft', 'published')),
    column('articles.title', 'string'),
    column('articles.author', 'uuid', { special: ['m2o'] }),
    column('articles.parent', 'integer', { special: ['m2o'] }),
    column('articles.cover', 'uuid', { special: ['file'] }),
    column('articles.user_created', 'uuid', { special: ['user-created'] }),
    column('articles.sort', 'integer'),
    column('articles.price', 'decimal', {}, { numeric_precision: 10, numeric_scale: 5 }),
    column('articles.exact', 'decimal', {}, { numeric_precision: 30, numeric_scale: 5 }),
    column('articles.views', 'bigInteger'),
    column('articles.ratio', 'float'),
    column('articles.published', 'dateTime'),
    column('articles.created', 'timestamp', { special: ['date-created'] }),
    column('articles.day', 'date'),
    column('articles.opens', 'time'),
    column('articles.tags', 'csv', { special: ['cast-csv'] }),
    column('articles.place', 'geometry.Point'),
    column('articles.data', 'json', { special: ['cast-json'] }),
    column('articles.featured', 'boolean', { special: ['cast-boolean'] }),
    column('articles.Größe', 'string'),
    column('articles.password', 'hash', { special: ['hash', 'conceal'] }),
    column('articles.raw', 'binary'),
    alias('articles.blog_tags', ['m2m']),
    alias('articles.divider-1', ['alias', 'no-data']),
    column('authors.id', 'uuid', { special: ['uuid'] }, key),
    column('authors.name', 'string'),
    column('authors.best', 'integer', { special: ['m2o'] }),
    { ...column('blogTags.slug', 'string', {}, key), meta: null },
    column('articles_blogTags.id', 'integer', {}, key),
    column('articles_blogTags.articles_id', 'integer'),
    column('articles_blogTags.blogTags_slug', 'string'),
    column('sections.id', 'integer', {}, key),
    column('sections.item', 'string'),
    column('sections.secret_id', 'integer'),
    column('sections.nowhere', 'integer'),
    column('settings.id', 'integer', {}, key),
    column('settings.site_title', 'string'),
    column('empty.id', 'integer', {}, key),
    column('empty.theme', 'string'),
    column('secret.id', 'integer', {}, key),
    column('keyless.name', 'string'),
    column('directus_users.id', 'uuid', {}, key),
    { collection: 'articles', field: 'broken', type: 7 },
  ],
  '/relations': [
    relation('articles.author', 'authors'),
    relation('articles.parent', 'articles', { one_field: 'children' }),
    relation('articles.cover', 'directus_files'),
    relation('articles.user_created', 'directus_users'),
    relation('authors.best', 'articles'),
    relation('articles_blogTags.articles_id', 'articles', { junction_field: 'blogTags_slug' }),
    relation('articles_blogTags.blogTags_slug', 'blogTags', { junction_field: 'articles_id' }),
    relation('sections.item', null, { one_allowed_collections: ['articles'], one_collection_field: 'kind' }),
    relation('sections.secret_id', 'secret'),
    relation('sections.nowhere', 'keyless'),
  ],
  '/folders': [
    { id: FOLDER, name: 'Brand', parent: null },
    { id: 'c', name: 'A/B', parent: FOLDER },
  ],
  '/files': [
    {
      ...{ id: LOGO, filename_download: 'logo.txt', title: 'Logo', description: null, folder: 'c' },
      ...{ type: 'text/plain', filesize: 5, tags: ['photo', 'photo'] },
    },
    { id: GONE, filename_download: 'gone.png', title: null, folder: null, filesize: '3', tags: null },
    { id: 'huge', filename_download: 'huge.iso', title: null, folder: null, filesize: 2 ** 30, tags: null },
    { id: 'odd', filename_download: 7 },
  ],
  '/items/articles': Array.from({ length: 150 }, (_, at) => article(at + 1, at === 119 ? ODD : {})),
  '/items/authors': [{ id: ADA, name: 'Ada', best: 7 }],
  '/items/blogTags': [{ slug: 'a,b & c' }, { slug: 'x'.repeat(501) }],
  '/items/articles_blogTags': [
    { id: 1, articles_id: 3, blogTags_slug: 'a,b & c' },
    { id: 2, articles_id: 4, blogTags_slug: null },
  ],
  '/items/sections': [{ id: 1, item: '3', secret_id: 1, nowhere: 1 }, { item: 'no key' }],
  '/items/settings': { id: 1, site_title: 'Site' },
  '/items/empty': { id: null, theme: 'auto' },
};

type Answer = { readonly status: number; readonly headers?: Record<string, string> };

/** Starts a server that responds like Directus; `before` may handle a request instead. */
async function startDirectus(
  before: (path: string, query: URLSearchParams) => Answer | undefined = () => undefined,
) {
  const source = await startReceiver();
  const refusal = (code: string) => JSON.stringify({ errors: [{ message: 'No.', extensions: { code } }] });
  source.answer = ({ path, headers }, response) => {
    const { pathname, searchParams: query } = new URL(path, source.url);
    const instead = before(decodeURIComponent(pathname), query);
    if (instead !== undefined)
      return response.writeHead(instead.status, instead.headers).end(refusal('UNDER_PRESSURE'));
    if (headers.authorization !== 'Bearer secret')
      return response.writeHead(401).end(refusal('INVALID_CREDENTIALS'));
    if (pathname === `/assets/${LOGO}`) return response.end('bytes');
    const data = DATA[pathname];
    if (data === undefined) return response.writeHead(403).end(refusal('FORBIDDEN'));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data: 'length' in data ? pageOf(data, query) : data }));
  };
  return source;
}

function pageOf(items: object, query: URLSearchParams): unknown[] {
  const all = Object.values(items);
  if (!query.has('limit')) return all;
  const offset = Number(query.get('offset'));
  const fields = new Set(query.get('fields')?.split(','));
  return all
    .slice(offset, offset + Number(query.get('limit')))
    .map((item) => Object.fromEntries(Object.entries(item).filter(([name]) => fields.has(name))));
}

interface Run {
  readonly state: string;
  readonly token?: string;
}

const importApplied = (tenant: TestTenant, from: string, { state, token = 'secret' }: Run) =>
  runImport(importDirectus, { url: app.url, apiKey: tenant.apiKey }, { from, state, token });

const argsOf = (tenant: TestTenant, from: string, { state }: Run) => ({
  args: ['import', 'directus', from, '--state', state],
  env: { TESSERA_URL: app.url, TESSERA_API_KEY: tenant.apiKey, SOURCE_TOKEN: 'secret' },
});

const recordsOf = ({ api }: TestTenant) => api.with({ 'x-tessera-surface': 'records' });

async function countArticles(tenant: TestTenant, query = ''): Promise<number> {
  return (await recordsOf(tenant).get(`/api/articles?per_page=1${query}`)).body.pagination.total;
}

test('a dry run of Directus counts everything and writes nothing', async () => {
  const [tenant, source] = [await app.createTenant(), await startDirectus()];
  const state = await newStateFile();
  const { args, env } = argsOf(tenant, source.url, { state });
  const { code, output } = await runTessera(args, env);
  assert.equal(code, 0, output);
  assert.match(output, /^To import:\n {2}8 entities\n {2}2 files\n {2}150 records of articles\n/m);
  assert.match(output, /^ {2}1 records of settings\n/m);
  assert.match(output, /Repeat with --apply/);
  await assert.rejects(access(state));
  assert.deepEqual((await tenant.api.get('/api/entities')).body.results, []);
  assert.equal(source.received.filter(({ path }) => path.startsWith('/assets/')).length, 0);
});

test('a wrong token and a source other than Directus end the import with one line', async () => {
  const [tenant, source] = [await app.createTenant(), await startDirectus()];
  const state = await newStateFile();
  const refused = await importApplied(tenant, source.url, { state, token: 'no' });
  assert.equal(
    refused.error,
    'Directus answered 401 to /collections; set SOURCE_TOKEN to the static token of an administrator',
  );
  for (const answer of ['{"data":{"collection":1}}', '<html>', '[]']) {
    source.answer = (_request, response) => response.end(answer);
    const { error } = await importApplied(tenant, source.url, { state });
    assert.equal(error, 'the response to /collections is not a Directus response');
  }
});

test('collections, files, items and relations of Directus are imported once', async () => {
  const tenant = await app.createTenant();
  const busy = new Map([
    ['/fields', { status: 503, headers: { 'retry-after': '0' } }],
    [`/assets/${LOGO}`, { status: 429, headers: { 'retry-after': '0' } }],
  ]);
  const source = await startDirectus((path) => {
    const answer = busy.get(path);
    busy.delete(path);
    return answer;
  });
  const state = await newStateFile();
  const outputs: string[] = [];
  for (const _repeat of [1, 2]) {
    const { error, output } = await importApplied(tenant, source.url, { state });
    assert.equal(error, null, output);
    assert.match(output, /^Imported:\n {2}8 entities\n {2}1 files\n {2}150 records of articles\n/m);
    outputs.push(output);
  }
  const records = recordsOf(tenant);
  const one = async (entity: string, query: string) => {
    const { data } = (await records.get(`/api/${entity}?${query}`)).body;
    assert.equal(data.length, 1, `${entity}?${query}`);
    return data[0];
  };
  assert.equal((await records.get('/api/articles')).body.pagination.total, 150);
  const ada = await one('authors', `directus_id=${ADA}`);
  const first = await one('articles', 'directus_id=1');
  const {
    id: _id,
    cover,
    author_id,
    _created_at,
    _updated_at,
    _created_by,
    _updated_by,
    ...rest
  } = await one('articles', 'directus_id=2');
  assert.deepEqual(rest, {
    ...{ directus_id: '2', status: 'draft', title: 'Article 2', parent_id: first.id, directus_sort: 2 },
    ...{ price: 12.5, views: 9007199254740991, published: '2024-02-01T10:00:00.000Z', ratio: 0.5 },
    ...{ created: '2021-02-04T16:37:41.000Z', day: '2024-02-29', opens: '08:30:00', tags: ['a', 'b'] },
    ...{ place: { type: 'Point', coordinates: [13.4, 52.5] }, data: { a: [1] }, featured: true },
    ...{ exact: '12345678901234567890.12', user_created: ADA, grosse: 'L' },
  });
  assert.equal(author_id, ada.id);
  assert.equal(ada.best_id, (await one('articles', 'directus_id=7')).id);
  assert.equal(await (await fetch(cover)).text(), 'bytes');
  const tag = await one('blog_tags', 'page=1');
  assert.equal(tag.directus_id, 'a,b & c');
  const link = await one('articles_blog_tags', 'directus_id=1');
  assert.equal(link.articles_id, (await one('articles', 'directus_id=3')).id);
  assert.equal(link.blog_tags_slug_id, tag.id);
  assert.equal((await one('settings', 'page=1')).site_title, 'Site');
  assert.equal((await one('sections', 'page=1')).item, '3');
  assert.deepEqual((await records.get('/api/empty')).body.data, []);
  const all = { page: 1, limit: 10, filters: {} };
  const { results: assets } = (await tenant.api.post('/api/assets/list', all)).body;
  assert.deepEqual(
    assets.map(({ name, folder, alt, tags }: Record<string, unknown>) => ({ name, folder, alt, tags })),
    [{ name: 'logo.txt', folder: '/Brand/A-B', alt: 'Logo', tags: ['photo', `directus:${LOGO}`] }],
  );
  assert.equal(outputs[0]?.split('1 items of sections: have no primary key').length, 2);
  for (const line of [
    'articles.sort is the field directus_sort',
    'articles.Größe is the field grosse',
    'articles.user_created refers to directus_users; their ids are texts',
    'collection blogTags is the entity blog_tags',
    'sections.item refers to items of several collections; their ids are texts',
    'articles: blog_tags: lists of related items; the records on the other side refer to this one',
    'articles: divider-1: groups and decoration without values',
    'articles.password: Directus does not return its values',
    'articles.raw: fields of the type binary are not supported',
    'field articles.broken: the data has unexpected types',
    'collection odd: the data has unexpected types',
    'folder content: folders of collections have no counterpart',
    'collection keyless: has no primary key that the user of SOURCE_TOKEN may read',
    'sections.nowhere: refers to keyless, which is not imported',
    'items of secret: Directus answered 403 to /items/secret',
    'file huge.iso: is larger than 100 MiB',
    'file gone.png: Directus answered 403 to /assets/',
    'file odd: the data has unexpected types',
    'sections 1, secret_id: secret 1 was not imported',
    `blogTags ${'x'.repeat(250)}`,
  ])
    assert.ok(
      outputs.every((output) => output.includes(`\n  ${line}`)),
      `${line}\n${outputs.join('\n')}`,
    );
  for (const line of [
    'articles 120, cover: the file 768eabec',
    'articles 120, price: 1.2345678901234567 has more digits than a number can hold',
    'articles 120, views: 9007199254740993 has more digits than a number can hold',
    'articles 120, published: must be an ISO 8601 date and time',
    'articles 120, status: must be one of draft, published',
    'articles 120, author: authors 11111111-1111-4111-8111-111111111111 was not imported',
  ])
    assert.ok(outputs[0]?.includes(`\n  ${line}`), `${line}\n${outputs[0]}`);
  const odd = await one('articles', 'directus_id=120');
  assert.deepEqual([odd.status, odd.author_id, odd.title, odd.price], [null, null, null, null]);
  assert.equal(odd.parent_id, first.id);
});

test('a killed import of Directus continues without duplicates', async () => {
  const tenant = await app.createTenant();
  let kill: (() => void) | null = null;
  const source = await startDirectus((path, query) => {
    if (path === '/items/articles' && query.get('offset') === '100') kill?.();
    return undefined;
  });
  const { args, env } = argsOf(tenant, source.url, { state: await newStateFile() });
  const run = spawnTessera([...args, '--apply'], env);
  kill = () => run.child.kill('SIGKILL');
  assert.equal((await run.ended).signal, 'SIGKILL', run.output());
  assert.equal(await countArticles(tenant), 100);
  kill = null;
  const { code, output } = await runTessera([...args, '--apply'], env);
  assert.equal(code, 0, output);
  assert.equal(await countArticles(tenant), 150);
  assert.equal(await countArticles(tenant, '&parent_id__null=false'), 149);
});

test('an import interrupted between relations sets the missing ones', async () => {
  const tenant = await app.createTenant();
  let isBroken = true;
  const source = await startDirectus((path, query) => {
    const isRelations = path === '/items/articles' && query.get('fields') === 'id,author,parent';
    const isSecondPage = isRelations && query.get('offset') === '100';
    return isBroken && isSecondPage ? { status: 500, headers: { 'retry-after': '0' } } : undefined;
  });
  const state = await newStateFile();
  const broken = await importApplied(tenant, source.url, { state });
  assert.equal(broken.error, 'Directus answered 500 to /items/articles');
  assert.match(broken.output, /^Imported:\n {2}8 entities\n {2}1 files\n {2}150 records of articles\n/m);
  assert.equal(await countArticles(tenant, '&parent_id__null=false'), 99);
  isBroken = false;
  assert.equal((await importApplied(tenant, source.url, { state })).error, null);
  assert.equal(await countArticles(tenant, '&parent_id__null=false'), 149);
});

test('a lost state duplicates neither entities nor files', async () => {
  const [tenant, source] = [await app.createTenant(), await startDirectus()];
  const [first, second] = [await newStateFile(), await newStateFile()];
  assert.equal((await importApplied(tenant, source.url, { state: first })).error, null);
  const { error, output } = await importApplied(tenant, source.url, { state: second });
  assert.equal(error, null);
  assert.match(output, /^ {2}1 files$/m);
  assert.equal(await countArticles(tenant), 150);
  const all = { page: 1, limit: 10, filters: {} };
  assert.equal((await tenant.api.post('/api/assets/list', all)).body.results.length, 1);
});

test('an existing entity is reported and stays unchanged', async () => {
  const [tenant, source] = [await app.createTenant(), await startDirectus()];
  await tenant.api.post('/api/entities', { name: 'authors', fields: [{ name: 'title', type: 'string' }] });
  const { error, output } = await importApplied(tenant, source.url, { state: await newStateFile() });
  assert.equal(error, null);
  assert.match(output, /^ {2}collection authors: Another entity has this name\.$/m);
  assert.match(output, /^ {2}articles\.author: refers to authors, which was not imported$/m);
  assert.deepEqual((await recordsOf(tenant).get('/api/authors')).body.data, []);
  assert.equal(await countArticles(tenant), 150);
});

test('a value changed in Tessera survives a repeated import of Directus', async () => {
  const [tenant, source] = [await app.createTenant(), await startDirectus()];
  const state = await newStateFile();
  assert.equal((await importApplied(tenant, source.url, { state })).error, null);
  const records = recordsOf(tenant);
  const idOf = async (key: number) => (await records.get(`/api/articles?directus_id=${key}`)).body.data[0].id;
  const [id, parent] = [await idOf(2), await idOf(9)];
  await records.put(`/api/articles/${id}`, { title: 'Mine', parent });
  assert.equal((await importApplied(tenant, source.url, { state })).error, null);
  const { title, parent_id } = (await records.get(`/api/articles/${id}`)).body;
  assert.deepEqual([title, parent_id], ['Mine', parent]);
});
