/** `tessera import strapi`: an archive of `strapi export` becomes entities, records and assets. */
import assert from 'node:assert/strict';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { create } from 'tar';
import { importStrapi } from '../../src/cli/moving/strapi.ts';
import { freshFolder } from '../harness/fresh-database.ts';
import { newStateFile, runImport } from '../harness/imports.ts';
import { runTessera } from '../harness/process.ts';
import { startTestApp, type TestTenant } from '../harness/test-app.ts';

const app = await startTestApp();

const FILE = 'plugin::upload.file';
const ARTICLE = 'api::article.article';
const AUTHOR = 'api::author.author';
const TAG = 'api::tag.tag';
const HOME = 'api::homepage.homepage';
const USER = 'plugin::users-permissions.user';

const schema = (uid: string, attributes: object, more: object = {}) => ({
  ...{ collectionName: 'things', info: { displayName: 'Thing' }, options: {}, pluginOptions: {}, attributes },
  ...{
    kind: 'collectionType',
    modelType: 'contentType',
    modelName: 'thing',
    uid,
    globalId: 'Thing',
    ...more,
  },
});
const relation = (kind: string, target: string, more: object = {}) => ({
  ...{ type: 'relation', relation: kind, target, ...more },
});
const audited = {
  createdAt: { type: 'datetime' },
  updatedAt: { type: 'datetime' },
  publishedAt: { type: 'datetime', configurable: false, writable: true },
  createdBy: relation('oneToOne', 'admin::user', { configurable: false }),
  updatedBy: relation('oneToOne', 'admin::user', { configurable: false }),
};
const SCHEMAS = [
  schema(ARTICLE, {
    title: { type: 'string', required: true },
    slug: { type: 'uid', targetField: 'title' },
    body: { type: 'richtext' },
    blocks: { type: 'blocks' },
    status: { type: 'enumeration', enum: ['new', 'old'] },
    views: { type: 'biginteger' },
    price: { type: 'decimal' },
    sort: { type: 'integer' },
    featured: { type: 'boolean', default: false },
    day: { type: 'date' },
    secret: { type: 'password' },
    cover: { type: 'media', multiple: false, allowedTypes: ['images'] },
    gallery: { type: 'media', multiple: true },
    author: relation('manyToOne', AUTHOR, { inversedBy: 'articles' }),
    tags: relation('manyToMany', TAG, { inversedBy: 'articles' }),
    owner: relation('oneToOne', USER),
    anything: { type: 'relation', relation: 'morphToMany' },
    seo: { type: 'component', component: 'shared.seo', repeatable: false },
    sections: { type: 'dynamiczone', components: ['shared.quote', 'shared.seo'] },
    locale: { type: 'string', private: true },
    localizations: relation('oneToMany', ARTICLE),
    ...audited,
  }),
  schema(AUTHOR, {
    fullName: { type: 'string' },
    articles: relation('oneToMany', ARTICLE, { mappedBy: 'author' }),
  }),
  schema(TAG, { name: { type: 'string' }, articles: relation('manyToMany', ARTICLE, { mappedBy: 'tags' }) }),
  schema(HOME, { headline: { type: 'string' } }, { kind: 'singleType' }),
  schema('shared.seo', {
    description: { type: 'text' },
    image: { type: 'media', multiple: false },
    links: { type: 'component', component: 'shared.quote', repeatable: true },
  }),
  schema('shared.quote', { text: { type: 'string' }, by: relation('oneToOne', AUTHOR) }),
  schema(FILE, { name: { type: 'string' }, related: { type: 'relation', relation: 'morphToMany' } }),
];

const entity = (type: string, id: number, data: object) => ({ type, id, data });
const file = (id: number, name: string, more: object = {}) =>
  entity(FILE, id, {
    ...{ name, alternativeText: null, caption: null, hash: `${name.replace('.', '_')}_a1b2`, ext: '.txt' },
    ...{ mime: 'text/plain', size: 0.01, url: `/uploads/${name}`, provider: 'local', folderPath: '/' },
    ...more,
  });
const article = (id: number, more: object = {}) =>
  entity(ARTICLE, id, {
    ...{ title: `Article ${id}`, slug: `article-${id}`, body: '# Hi', status: 'new', sort: id },
    ...{ createdAt: '2024-01-02T03:04:05.678Z', publishedAt: '2024-02-03T04:05:06.000Z', ...more },
  });
const link = (left: [string, number, string], right: [string, number, string?], pos?: number) => ({
  kind: 'relation.basic',
  relation: 'manyToMany',
  left: { type: left[0], ref: left[1], field: left[2], ...(pos === undefined ? {} : { pos }) },
  right: { type: right[0], ref: right[1], field: right[2] },
});
/** Files refer to entries, with the field and the place among its files. */
const media = (id: number, [type, ref, field]: [string, number, string], pos = 1) => ({
  kind: 'relation.morph',
  relation: 'morphToMany',
  left: { type: FILE, ref: id, field: 'related' },
  right: { type, ref, field, pos },
});

const ENTRIES = [
  article(1, {
    ...{ views: '9007199254740991', price: 12.5, featured: true, day: '2024-02-29', secret: '$2a$10$x' },
    blocks: [{ type: 'paragraph', children: [{ type: 'text', text: 'ö' }] }],
    seo: { id: 5, description: 'Best', links: [{ id: 7, text: 'One' }] },
    sections: [
      { __component: 'shared.quote', id: 8, text: 'Two' },
      { __component: 'shared.gone', id: 9 },
    ],
  }),
  article(2, { status: 'odd', views: '9007199254740993', seo: null, sections: [] }),
  ...Array.from({ length: 120 }, (_, index) => article(index + 10)),
  entity(AUTHOR, 1, { fullName: 'Ada' }),
  entity(TAG, 1, { name: 'b' }),
  entity(TAG, 2, { name: 'a' }),
  entity(HOME, 1, { headline: 'Welcome' }),
  entity(USER, 3, { username: 'eve' }),
  file(1, 'logo.txt', { alternativeText: 'Logo', folderPath: '/1/4' }),
  file(2, 'second.txt'),
  file(3, 'gone.txt'),
  entity('plugin::upload.folder', 11, { name: 'Brand', pathId: 1, path: '/1' }),
  entity('plugin::upload.folder', 12, { name: 'A/B', pathId: 4, path: '/1/4' }),
  entity('plugin::i18n.locale', 1, { code: 'en' }),
];
const LINKS = [
  link([ARTICLE, 1, 'author'], [AUTHOR, 1, 'articles']),
  ...Array.from({ length: 120 }, (_, index) => link([ARTICLE, index + 10, 'author'], [AUTHOR, 1])),
  link([ARTICLE, 2, 'author'], [AUTHOR, 99]),
  link([ARTICLE, 1, 'tags'], [TAG, 1, 'articles'], 2),
  link([ARTICLE, 1, 'tags'], [TAG, 2, 'articles'], 1),
  link([ARTICLE, 1, 'owner'], [USER, 3]),
  link(['shared.quote', 8, 'by'], [AUTHOR, 1]),
  media(1, [ARTICLE, 1, 'cover']),
  media(2, [ARTICLE, 1, 'gallery'], 1),
  media(1, [ARTICLE, 1, 'gallery'], 2),
  media(3, [ARTICLE, 2, 'cover']),
  media(2, ['shared.seo', 5, 'image']),
];

interface Content {
  readonly schemas?: readonly unknown[];
  readonly entities?: readonly unknown[];
  readonly links?: readonly unknown[];
}

/** Writes an archive as Strapi does. Returns its path. */
async function writeArchive({ schemas = SCHEMAS, entities = ENTRIES, links = LINKS }: Content = {}) {
  const folder = await freshFolder();
  for (const [name, lines] of Object.entries({ schemas, entities, links })) {
    await mkdir(join(folder, name));
    const text = lines.map((each) => `${typeof each === 'string' ? each : JSON.stringify(each)}\n`).join('');
    await writeFile(join(folder, name, `${name}_00001.jsonl`), text);
  }
  await mkdir(join(folder, 'assets/uploads'), { recursive: true });
  for (const name of ['logo', 'second', 'thumbnail_logo'])
    await writeFile(join(folder, `assets/uploads/${name}_txt_a1b2.txt`), `bytes of ${name}`);
  await writeFile(join(folder, 'metadata.json'), '{"strapi":{"version":"4.25.1"}}');
  const path = join(folder, 'export.tar.gz');
  await create({ file: path, cwd: folder, gzip: true }, [
    ...['schemas', 'entities', 'assets', 'links', 'metadata.json'],
  ]);
  return path;
}

const importApplied = (tenant: TestTenant, from: string, state: string) =>
  runImport(importStrapi, { url: app.url, apiKey: tenant.apiKey }, { from, state });

const recordsOf = ({ api }: TestTenant) => api.with({ 'x-tessera-surface': 'records' });

async function listOf(tenant: TestTenant, path: string) {
  const { status, body } = await recordsOf(tenant).get(`/api/${path}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.data;
}

async function oneOf(tenant: TestTenant, path: string) {
  const data = await listOf(tenant, path);
  assert.equal(data.length, 1, path);
  return data[0];
}

test('a dry run of Strapi counts everything and writes nothing', async () => {
  const tenant = await app.createTenant();
  const from = await writeArchive();
  const env = { TESSERA_URL: app.url, TESSERA_API_KEY: tenant.apiKey };
  const { code, output } = await runTessera(['import', 'strapi', from, '--state', await newStateFile()], env);
  assert.equal(code, 0, output);
  assert.match(output, /^To import:\n {2}5 entities\n {2}2 files\n {2}122 records of article\n/m);
  assert.match(output, /^ {2}2 records of article\.tags\n/m);
  assert.deepEqual((await tenant.api.get('/api/entities')).body.results, []);
});

test('content types, entries, relations, components and files of Strapi are imported once', async () => {
  const tenant = await app.createTenant();
  const [from, state] = [await writeArchive(), await newStateFile()];
  const outputs: string[] = [];
  for (const _repeat of [1, 2]) {
    const { error, output } = await importApplied(tenant, from, state);
    assert.equal(error, null, output);
    assert.match(output, /^Imported:\n {2}5 entities\n {2}2 files\n {2}122 records of article\n/m);
    assert.match(output, /^ {2}2 records of article\.tags\n/m);
    outputs.push(output);
  }
  const all = { page: 1, limit: 10, filters: {} };
  const { results: assets } = (await tenant.api.post('/api/assets/list', all)).body;
  const urlOf = (name: string) => assets.find((each: { name: string }) => each.name === name).url;
  const [logo, second] = [urlOf('logo.txt'), urlOf('second.txt')];
  assert.equal(assets.length, 2);
  assert.equal(assets.find(({ name }: { name: string }) => name === 'logo.txt').folder, '/Brand/A-B');
  const ada = await oneOf(tenant, 'author?page=1');
  const { id, _created_at, _updated_at, _created_by, _updated_by, ...first } = await oneOf(
    tenant,
    'article?strapi_id=1',
  );
  assert.deepEqual(first, {
    ...{ strapi_id: '1', title: 'Article 1', slug: 'article-1', body: '# Hi', status: 'new' },
    ...{ views: 9007199254740991, price: 12.5, strapi_sort: 1, featured: true, day: '2024-02-29' },
    blocks: [{ type: 'paragraph', children: [{ type: 'text', text: 'ö' }] }],
    ...{ cover: logo, gallery: [second, logo], author_id: ada.id, owner: '3', locale: null },
    seo: { description: 'Best', image: second, links: [{ text: 'One', by: null }] },
    sections: [{ __component: 'shared.quote', text: 'Two', by: '1' }],
    ...{ created_at: '2024-01-02T03:04:05.678Z', published_at: '2024-02-03T04:05:06.000Z', updated_at: null },
  });
  const links = await listOf(tenant, 'article_tags?sort=position');
  const tags = await listOf(tenant, 'tag?sort=name');
  assert.deepEqual(
    links.map((each: Record<string, unknown>) => [
      each.article_id,
      each.tag_id,
      each.position,
      each.strapi_id,
    ]),
    [
      [id, tags[0].id, 1, '1/2'],
      [id, tags[1].id, 2, '1/1'],
    ],
  );
  assert.equal(ada.full_name, 'Ada');
  assert.equal((await oneOf(tenant, 'homepage?page=1')).headline, 'Welcome');
  const { pagination } = (await recordsOf(tenant).get('/api/article?author_id__null=false&per_page=1')).body;
  assert.equal(pagination.total, 121);
  for (const line of [
    'article.sort is the field strapi_sort',
    'article.seo has components, which are JSON',
    'article.owner refers to plugin::users-permissions.user; their ids are texts',
    'article.tags is the entity article_tags',
    'article.secret: passwords are not imported',
    'article.anything: refers to entries of several types',
    'author: articles: lists of related entries; the records on the other side refer to this one',
    '1 entries of plugin::users-permissions.user: only content types of the API are imported',
    'file gone.txt: its bytes are not in the archive',
  ])
    assert.ok(
      outputs.every((output) => output.includes(`\n  ${line}`)),
      `${line}\n${outputs.join('\n')}`,
    );
  for (const line of [
    'article 2, status: must be one of new, old',
    'article 2, views: 9007199254740993 has more digits than a number can hold',
    'article 2, cover: the file 3 was not imported',
    'article 1, sections: the component shared.gone has no schema',
  ])
    assert.ok(outputs[0]?.includes(`\n  ${line}`), `${line}\n${outputs[0]}`);
});

test('a document of Strapi 5 is one record for each language, the published version first', async () => {
  const tenant = await app.createTenant();
  const version = (id: number, documentId: string, locale: string | null, publishedAt: string | null) =>
    article(id, { documentId, locale, publishedAt, title: `${documentId} ${id}` });
  const at = '2024-02-03T04:05:06.000Z';
  const entities = [
    version(1, 'aaa', 'en', null),
    version(2, 'aaa', 'en', at),
    version(3, 'aaa', 'de', null),
    version(4, 'bbb', 'en', null),
    entity(TAG, 1, { documentId: 'ttt', locale: null, name: 'draft', publishedAt: null }),
    entity(TAG, 2, { documentId: 'ttt', locale: null, name: 'published', publishedAt: at }),
  ];
  const links = [
    link([ARTICLE, 1, 'tags'], [TAG, 1], 1),
    link([ARTICLE, 2, 'tags'], [TAG, 2], 1),
    link([ARTICLE, 4, 'tags'], [TAG, 1], 1),
    link([ARTICLE, 4, 'tags'], [TAG, 2], 2),
  ];
  const from = await writeArchive({ entities, links });
  const { error, output } = await importApplied(tenant, from, await newStateFile());
  assert.equal(error, null, output);
  const articles = await listOf(tenant, 'article?sort=strapi_id');
  assert.deepEqual(
    articles.map(({ strapi_id, title }: Record<string, string>) => [strapi_id, title]),
    [
      ['aaa:de', 'aaa 3'],
      ['aaa:en', 'aaa 2'],
      ['bbb:en', 'bbb 4'],
    ],
  );
  assert.equal((await oneOf(tenant, 'tag?page=1')).name, 'published');
  const pairs = await listOf(tenant, 'article_tags?sort=strapi_id');
  assert.deepEqual(
    pairs.map(({ strapi_id }: { strapi_id: string }) => strapi_id),
    ['aaa:en/ttt', 'bbb:en/ttt'],
  );
});

test('an import of Strapi continues where it ended, and with a lost state, without duplicates', async () => {
  const tenant = await app.createTenant();
  const [from, state] = [
    await writeArchive({ entities: ENTRIES.slice(0, 50), links: [] }),
    await newStateFile(),
  ];
  assert.equal((await importApplied(tenant, from, state)).error, null);
  await copyFile(await writeArchive(), from);
  for (const file of [state, await newStateFile()]) {
    const { error, output } = await importApplied(tenant, from, file);
    assert.equal(error, null, output);
    const { pagination } = (await recordsOf(tenant).get('/api/article?author_id__null=false&per_page=1'))
      .body;
    assert.equal(pagination.total, 121);
    const all = { page: 1, limit: 10, filters: {} };
    assert.equal((await tenant.api.post('/api/assets/list', all)).body.results.length, 2);
  }
  assert.equal((await recordsOf(tenant).get('/api/article?per_page=1')).body.pagination.total, 122);
});

test('lines that are not of Strapi are reported, and other files end the import with one line', async () => {
  const tenant = await app.createTenant();
  const odd = await writeArchive({ entities: ['{"type":', entity(TAG, 1, { name: 'x' }), { id: 1 }] });
  const { error, output } = await importApplied(tenant, odd, await newStateFile());
  assert.equal(error, null);
  assert.match(output, /^ {2}2 lines of entities\/entities_00001\.jsonl: the data has unexpected types$/m);
  const folder = await freshFolder();
  for (const [name, expected] of [
    ['export.tar.gz.enc', /it is encrypted; export again with --no-encrypt$/],
    ['export.tar.gz', /cannot be read as an archive of strapi export: /],
  ] as const) {
    await writeFile(join(folder, name), 'no archive '.repeat(100));
    assert.match(
      (await importApplied(tenant, join(folder, name), await newStateFile())).error ?? '',
      expected,
    );
  }
  const empty = await writeArchive({ schemas: [] });
  assert.match(
    (await importApplied(tenant, empty, await newStateFile())).error ?? '',
    /contains no schemas; it must be an archive of strapi export$/,
  );
  const url = await runTessera(['import', 'strapi', 'https://strapi.example'], {
    TESSERA_URL: app.url,
    TESSERA_API_KEY: tenant.apiKey,
  });
  assert.equal(url.code, 2);
  assert.match(url.errors, /^tessera import: FROM must be an archive of strapi export/);
});
