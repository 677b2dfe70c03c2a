/** Fields, keys and owners, on tables of this test only. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { expressionBuilder, sql } from 'kysely';
import Type from 'typebox';
import { createClient } from '../../test/harness/client.ts';
import { createMember, createUnit } from '../../test/harness/members.ts';
import { serveRoutes } from '../../test/harness/route-server.ts';
import { startTestApp } from '../../test/harness/test-app.ts';
import { AppError } from '../errors/app-error.ts';
import { FORBIDDEN, NOT_FOUND, ruleBroken } from '../errors/platform-errors.ts';
import type { Actor } from '../tenancy/actor.ts';
import { findCallerByApiKey } from '../tenancy/find-caller.ts';
import { scopeOf, wholeTenant } from '../tenancy/scope.ts';
import { columnsOf } from './body.ts';
import {
  boolean,
  bytes,
  constant,
  hidden,
  id,
  integer,
  json,
  moment,
  number,
  recordFields,
  text,
  version,
} from './fields.ts';
import { ofMember } from './filter-sql.ts';
import { onlyOne, pathKey, uuidKey, within } from './keys.ts';
import { listAllRecords, listRecords, listViews } from './lists.ts';
import {
  changeRecord,
  createRecord,
  createRecords,
  deleteRecords,
  findRecord,
  getRecord,
  putRecord,
  putRecords,
  replaceRecord,
  replaceRecords,
} from './records.ts';
import { defineResource } from './resource.ts';
import { replaceRoute } from './routes.ts';

export const runsOn = ['embedded', 'server'];

const { app, createTenant } = await startTestApp();
const { platform } = app;
const tenant = await createTenant();
const { tenantId, defaultUnitId } = tenant;
const schema = `s${randomUUID().replaceAll('-', '')}`;
const wideNames = Array.from({ length: 120 }, (_, place) => `c${place}`);
await platform.database.everyTenant('tests').transaction(async (tx) => {
  const columns = 'tenant_id uuid, version int, created_at timestamptz, updated_at timestamptz';
  await tx.raw(sql`set local role none`);
  await tx.raw(sql`create schema ${sql.id(schema)}`);
  const tables = {
    notes: `${columns}, id uuid, owner_bu_id uuid, shared boolean, title text unique, kind text, target_url text,
      target json, weight float8, done boolean, secret text, ended text, digest bytea, primary key (tenant_id, id)`,
    pages: `${columns}, project_id text, id text, name text, primary key (tenant_id, project_id, id)`,
    files: `${columns}, path text, kind text not null, name text, look json not null, note text,
      primary key (tenant_id, path)`,
    wide: `tenant_id uuid, path text, ${wideNames.join(' json, ')} json, version int, primary key (tenant_id, path)`,
    settings: `${columns}, project_id text, look json, primary key (tenant_id, project_id)`,
  };
  for (const [name, definition] of Object.entries(tables))
    await tx.raw(sql`create table ${sql.id(schema, name)} (${sql.raw(definition)})`);
  await tx.raw(sql`grant usage on schema ${sql.id(schema)} to tessera_app`);
  await tx.raw(
    sql`grant select, insert, update, delete on all tables in schema ${sql.id(schema)} to tessera_app`,
  );
});
await platform.tables.learn(schema);

const notes = defineResource({
  entityType: 'webhook',
  table: `${schema}.notes`,
  key: uuidKey('id'),
  notFound: NOT_FOUND,
  fields: {
    id,
    title: text(Type.String({ minLength: 1 }), { filter: true, search: true }),
    event: constant('note', { at: 'about.event' }),
    kind: text(Type.String(), { at: 'about.kind', writes: 'once', filter: true }),
    url: text(Type.String(), { column: 'target_url', at: 'about.target.url', nullable: true }),
    target: json(Type.Object({}), { default: {}, keeps: true, listed: false }),
    weight: number(Type.Number(), { nullable: true, filter: true }),
    done: boolean(Type.Boolean(), { default: false, filter: true }),
    secret: hidden(text(Type.String(), { writes: 'platform', nullable: true })),
    shared: boolean(Type.Boolean(), { default: false }),
    digest: bytes,
    ...recordFields,
    ended: text(Type.String(), { writes: 'platform', nullable: true, omitsNull: true }),
  },
  filters: { colour: { type: 'text', sql: ofMember('target', ['look', 'colour'], 'text') } },
});

const system = { version, created_at: moment, updated_at: moment };
const isName = (name: string) => /^[\w.-]{1,128}$/.test(name);
const project = pathKey('project_id', isName);
const projectId = text(Type.String(), { writes: 'platform' });
const pages = defineResource({
  entityType: 'pages_document',
  table: `${schema}.pages`,
  key: within(project, pathKey('id', isName)),
  notFound: NOT_FOUND,
  fields: { project_id: hidden(projectId), id: projectId, name: text(Type.String(), {}), ...system },
});
const settings = defineResource({
  entityType: 'pages_site_settings',
  table: `${schema}.settings`,
  key: within(project, onlyOne('site_settings')),
  notFound: NOT_FOUND,
  fields: { project_id: hidden(projectId), look: json(Type.Object({}), {}), ...system },
});

const files = defineResource({
  table: `${schema}.files`,
  key: pathKey('path', isName),
  notFound: NOT_FOUND,
  fields: {
    path: projectId,
    kind: text(Type.Enum(['page', 'part']), { writes: 'once' }),
    name: text(Type.String(), {}),
    look: json(Type.Object({}), { default: {}, keeps: true }),
    note: text(Type.String(), { writes: 'once', nullable: true }),
    ...system,
  },
});
const wide = defineResource({
  entityType: 'pages_document',
  table: `${schema}.wide`,
  key: pathKey('path', isName),
  notFound: NOT_FOUND,
  fields: {
    path: projectId,
    ...Object.fromEntries(wideNames.map((name) => [name, json(Type.Unknown(), { nullable: true })])),
    version,
  },
});

const run: Actor = { kind: 'automation', key: 'tidy', runId: 'r2', chain: ['r1'], depth: 1 };
const whole = platform.scoped(wholeTenant(tenantId));
const automation = { actor: run, db: whole, now: new Date('2026-01-02T03:04:05.678Z') };

/** The context of a member with this key. */
async function memberOf(apiKey: string) {
  const found = await findCallerByApiKey(platform, apiKey);
  assert.ok(found);
  return { caller: found.caller, db: platform.scoped(scopeOf(found.caller)), now: new Date() };
}

async function historyOf(entityType: string, sortKey: string) {
  return whole.query
    .selectFrom('record_history')
    .select(['version', 'deleted', 'owner_bu_id', 'recorded_at', 'data', 'actor'])
    .where('entity_type', '=', entityType)
    .where('sort_key', '=', sortKey)
    .orderBy('version')
    .orderBy('deleted')
    .execute();
}

const refused = (code: string) => (error: unknown) =>
  error instanceof Error && 'definition' in error && Object(error.definition).code === code;

const body = (title: string, more: object = {}) =>
  columnsOf(notes.fields, 'create', {
    title,
    about: { event: 'note', kind: 'a', target: { url: 'https://ü.example' } },
    target: { b: 1, a: [{ z: null, y: 1.5 }] },
    ...more,
  });

test('history, written in SQL, contains exactly the view, and its author', async () => {
  // Only the platform sets the owner, whatever columns a feature gives.
  const columns = { ...body('"Quoted" \\ ü', { weight: 0.1 }), owner_bu_id: randomUUID() };
  const row = await createRecord(automation, notes, columns, { ownerId: defaultUnitId });
  const [first] = await historyOf('webhook', row.id);
  assert.deepEqual(first?.data, notes.view(row));
  assert.equal(JSON.stringify(first?.data), JSON.stringify(notes.view(row)));
  assert.deepEqual(first?.actor, { kind: 'automation', key: 'tidy', run_id: 'r2', chain: ['r1'], depth: 1 });
  assert.deepEqual([first?.owner_bu_id, first?.recorded_at], [defaultUnitId, '2026-01-02T03:04:05.678Z']);
  assert.deepEqual(notes.view(row).about, { event: 'note', kind: 'a', target: { url: 'https://ü.example' } });
  assert.ok(!('secret' in notes.view(row)));
  assert.ok(!('target' in notes.listView(row)));
});

test('bytes are preserved, and members that are null may be omitted, in history too', async () => {
  const digest = Buffer.from([0, 92, 255]);
  const columns = body('octets', { weight: 1 });
  const { id: key } = await createRecord(
    automation,
    notes,
    { ...columns, digest },
    { ownerId: defaultUnitId },
  );
  const row = await replaceRecord(automation, notes, key, { ended: 'so "far"' });
  assert.deepEqual(Buffer.from(row.digest), digest);
  const [first, second] = await historyOf('webhook', key);
  assert.ok(!Object.hasOwn(Object(first?.data), 'ended') && !Object.hasOwn(Object(first?.data), 'digest'));
  assert.deepEqual(second?.data, notes.view(row));
  assert.equal(notes.view(row).ended, 'so "far"');
});

test("the operator's lists and reads access the rows of all tenants", async () => {
  const other = await createTenant();
  const theirs = { ...automation, db: platform.scoped(wholeTenant(other.tenantId)) };
  const title = `everywhere ${randomUUID()}`;
  await createRecord(automation, notes, body(`${title} a`), { ownerId: defaultUnitId });
  const { id: key } = await createRecord(theirs, notes, body(`${title} b`), { ownerId: other.defaultUnitId });
  const all = platform.database.everyTenant('tests');
  for (const page of [1, 2])
    assert.equal((await listRecords(all, notes, { page, limit: 1, search: title })).total, 2);
  assert.equal((await getRecord(all, notes, key)).tenant_id, other.tenantId);
  assert.equal(await findRecord(whole, notes, key), null);
});

test('a thousand records are written, replaced and deleted in as many statements as one', async () => {
  const records = Array.from({ length: 1000 }, (_, place) => ({ columns: body(`bulk ${place}`) }));
  const created = await createRecords(automation, notes, records, { ownerId: defaultUnitId });
  assert.equal(new Set(created.map((row) => row.id)).size, 1000);
  const replaced = await replaceRecords(
    automation,
    notes,
    created.map((row) => ({ key: row.id, columns: { done: true }, version: 1 })),
  );
  assert.ok(replaced.every((row) => row.version === 2 && row.done));
  const keys = created.map((row) => row.id);
  await assert.rejects(deleteRecords(automation, notes, [...keys, randomUUID()]), refused('NOT_FOUND'));
  assert.ok(await findRecord(whole, notes, keys[0] ?? ''));
  assert.equal((await deleteRecords(automation, notes, keys)).length, 1000);
  const entries = await historyOf('webhook', keys[0] ?? '');
  assert.deepEqual(
    entries.map((entry) => [entry.version, entry.deleted]),
    [
      [1, false],
      [2, false],
      [2, true],
    ],
  );
});

test('one stale replace of several leaves all unchanged', async () => {
  const created = await createRecords(automation, notes, [{ columns: body('s1') }, { columns: body('s2') }], {
    ownerId: defaultUnitId,
  });
  const changes = created.map((row, place) => ({ key: row.id, columns: { done: true }, version: 1 + place }));
  await assert.rejects(replaceRecords(automation, notes, changes), refused('VERSION_CONFLICT'));
  assert.equal((await getRecord(whole, notes, created[0]?.id ?? '')).version, 1);
});

test('a move to another unit is reported before an outdated version', async () => {
  const { id: key } = await createRecord(automation, notes, body('moved'), { ownerId: defaultUnitId });
  const options = { version: 7, businessUnit: 'elsewhere' };
  await assert.rejects(
    replaceRecord(automation, notes, key, { title: 'x' }, options),
    refused('OWNER_IMMUTABLE'),
  );
});

test('a once-only member may be repeated, not changed; members kept by a replace stay', async () => {
  const { id: key } = await createRecord(automation, notes, body('once'), { ownerId: defaultUnitId });
  const own = columnsOf(notes.fields, 'replace', { title: 'once more' });
  assert.ok(!('target' in own) && !('kind' in own));
  await replaceRecord(automation, notes, key, own, { setOnce: { kind: 'a' } });
  await assert.rejects(
    replaceRecord(automation, notes, key, own, { setOnce: { kind: 'b' } }),
    refused('IMMUTABLE_FIELD'),
  );
  const row = await changeRecord(automation, notes, key, {}, (current) => ({ title: `${current.title}!` }));
  assert.deepEqual(
    [row.title, row.version, row.target],
    ['once more!', 3, { b: 1, a: [{ z: null, y: 1.5 }] }],
  );
});

test("a member writes what its role in the record's unit allows, and shared records of the tenant only as an owner", async () => {
  const north = await createUnit(tenant, 'North');
  const other = await createUnit(tenant, 'Other');
  const editor = await memberOf(
    (
      await createMember(tenant, [
        { bu_id: north, role: 'editor' },
        { bu_id: other, role: 'viewer' },
      ])
    ).apiKey,
  );
  const { id: mine, owner_bu_id } = await createRecord(editor, notes, body('mine'), {
    businessUnit: 'north',
  });
  assert.equal(owner_bu_id, north);
  await assert.rejects(
    createRecord(editor, notes, body('not mine'), { businessUnit: 'other' }),
    refused('FORBIDDEN'),
  );
  await replaceRecord(editor, notes, mine, { done: true }, { businessUnit: 'north' });
  await assert.rejects(
    replaceRecord(editor, notes, mine, {}, { businessUnit: 'other' }),
    refused('OWNER_IMMUTABLE'),
  );
  await assert.rejects(deleteRecords(editor, notes, [mine]), refused('FORBIDDEN'));
  const read = await createRecord(automation, notes, body('read only'), { ownerId: other });
  await assert.rejects(replaceRecord(editor, notes, read.id, { done: true }), refused('FORBIDDEN'));
  const hiddenOne = await createRecord(automation, notes, body('hidden'), { ownerId: defaultUnitId });
  await assert.rejects(replaceRecord(editor, notes, hiddenOne.id, { done: true }), refused('NOT_FOUND'));
  const shared = await createRecord(automation, notes, body('all', { shared: true }), {
    ownerId: defaultUnitId,
  });
  assert.ok(await findRecord(editor.db, notes, shared.id));
  await assert.rejects(replaceRecord(editor, notes, shared.id, { done: true }), refused('FORBIDDEN'));
  assert.equal((await historyOf('webhook', shared.id))[0]?.owner_bu_id, null);
});

test('a PUT with a chosen key creates the record, then replaces it', async () => {
  const key = ['site', 'home'];
  const first = await putRecord(automation, pages, key, { name: 'Home' });
  const second = await putRecord(automation, pages, key, { name: 'Start' }, { version: 1 });
  assert.deepEqual([first.version, second.version, second.created_at], [1, 2, first.created_at]);
  await assert.rejects(
    putRecord(automation, pages, key, { name: 'x' }, { version: 1 }),
    refused('VERSION_CONFLICT'),
  );
  await assert.rejects(putRecord(automation, pages, ['site', 'a/b'], { name: 'x' }), refused('NOT_FOUND'));
  const mixed = await putRecords(automation, pages, [
    { key, columns: { name: 'Again' } },
    { key: ['site', 'about'], columns: { name: 'About' } },
    { key: ['elsewhere', 'home'], columns: { name: 'Home' } },
  ]);
  assert.deepEqual(mixed.map((row) => [row.project_id, row.id, row.version]).sort(), [
    ['elsewhere', 'home', 1],
    ['site', 'about', 1],
    ['site', 'home', 3],
  ]);
  assert.deepEqual(
    (await historyOf('pages_document', 'site#home')).map((entry) => entry.version),
    [1, 2, 3],
  );
  const list = await listViews(whole, pages, { page: 1, limit: 10, parent: ['site'] });
  assert.deepEqual(
    list.results.map((page) => page.name),
    ['Again', 'About'],
  );
});

test('two concurrent first PUTs of one key create one record', async () => {
  const put = (name: string) => putRecord(automation, pages, ['race', 'home'], { name });
  await Promise.all([put('a'), put('b'), put('c')]);
  const entries = await historyOf('pages_document', 'race#home');
  assert.deepEqual(
    entries.map((entry) => entry.version),
    [1, 2, 3],
  );
});

test('a replace with a chosen key keeps once-only fields and optional ones', async () => {
  const route = replaceRoute(files, { path: '/api/files', id: 'files', tag: 'Test', noun: 'file' });
  const { url } = await serveRoutes(platform, [route]);
  const client = createClient(url, { 'x-api-key': tenant.apiKey });
  const put = async (path: string, values: object) =>
    (await client.send('PUT', `/api/files/${path}`, { body: values })).status;
  const look = { b: 1, a: 2 };
  assert.equal(await put('home', { kind: 'nonsense', name: 'Home' }), 400);
  assert.equal(await put('home', { name: 'Home' }), 400);
  assert.equal(await put('home', { kind: 'page', name: 'Home', look, note: 'n' }), 200);
  assert.equal(await put('home', { kind: 'page', name: 'Start', version: 1 }), 200);
  assert.notEqual(await put('home', { kind: 'part', name: 'Start' }), 200);
  const home = files.view(await getRecord(whole, files, 'home'));
  assert.deepEqual(
    [home.kind, home.name, home.look, home.note, home.version],
    ['page', 'Start', look, 'n', 2],
  );
  assert.equal(await put('other', { kind: 'part', name: 'Other' }), 200);
  const other = await getRecord(whole, files, 'other');
  assert.deepEqual([other.look, other.note], [{}, null]);
});

test('history contains records with more fields than a PostgreSQL function accepts arguments', async () => {
  const values = Object.fromEntries(wideNames.map((name, place) => [name, { z: place, a: '}{' }]));
  const row = await putRecord(automation, wide, 'w', values);
  const [entry] = await historyOf('pages_document', 'w');
  assert.equal(JSON.stringify(entry?.data), JSON.stringify(wide.view(row)));
});

test('a parent has one record of a singleton kind', async () => {
  await putRecord(automation, settings, ['site'], { look: { b: 1, a: 2 } });
  const row = await putRecord(automation, settings, ['site'], { look: { a: 2 } });
  assert.deepEqual([row.version, row.look], [2, { a: 2 }]);
  assert.equal((await historyOf('pages_site_settings', 'site#site_settings')).length, 2);
  assert.equal(await findRecord(whole, settings, ['other']), null);
});

test('only editors write records of the tenant', async () => {
  const viewer = await memberOf(
    (await createMember(tenant, [{ bu_id: defaultUnitId, role: 'viewer' }])).apiKey,
  );
  const editor = await memberOf(
    (await createMember(tenant, [{ bu_id: defaultUnitId, role: 'editor' }])).apiKey,
  );
  await assert.rejects(putRecord(viewer, pages, ['p', 'x'], { name: 'x' }), refused('FORBIDDEN'));
  await putRecord(editor, pages, ['p', 'x'], { name: 'x' });
  await assert.rejects(deleteRecords(editor, pages, [['p', 'x']]), refused('FORBIDDEN'));
  assert.ok(await findRecord(viewer.db, pages, ['p', 'x']));
});

test('lists filter by members of JSON columns, and pages do not overlap', async () => {
  const colours = ['red', 'Reddish', 'blue', null];
  await createRecords(
    automation,
    notes,
    Array.from({ length: 45 }, (_, place) => ({
      columns: body(`paged ${place}`, { target: { look: { colour: colours[place % 4] } } }),
    })),
    { ownerId: defaultUnitId },
  );
  const list = (more: object, page = 1) =>
    listRecords(whole, notes, { page, limit: 10, search: 'paged', ...more });
  const colour = (operation: string, value?: unknown) => ({ filters: { colour: { operation, value } } });
  assert.equal((await list(colour('like', 'RED'))).total, 23);
  assert.equal((await list(colour('ne', 'red'))).total, 33);
  assert.equal((await list(colour('empty'))).total, 11);
  const seen = new Set<string>();
  for (const page of [1, 2, 3, 4, 5, 6]) for (const row of (await list({}, page)).results) seen.add(row.id);
  assert.equal(seen.size, 45);
  assert.equal((await list({}, 6)).total, 45);
});

test('an unknown operation of a list is named as written, up to a maximum length', async () => {
  const issueOf = async (operation: unknown) => {
    const request = { page: 1, limit: 10, filters: { title: { operation, value: 'a' } } };
    const error: unknown = await listRecords(whole, notes, request).catch((refusal: unknown) => refusal);
    return Object(error).issues[0];
  };
  const { field, message } = await issueOf('sounds_like');
  assert.equal(field, 'filters.title.operation');
  assert.match(message, /^"sounds_like" is not one of eq, ne, between, like/);
  assert.match((await issueOf(null)).message, /^null is not one of/);
  assert.ok((await issueOf('x'.repeat(100_000))).message.length < 250);
});

test('computed values appear in reads, lists, responses and history, and cannot be written', async () => {
  const others = (table: string) =>
    expressionBuilder<Record<string, Record<string, unknown>>>()
      .selectFrom(`${schema}.files as other`)
      .select(sql`count(*)::int`.as('others'))
      .where(sql<boolean>`other.path <> ${sql.ref(`${table}.path`)}`);
  const counted = defineResource({
    entityType: 'pages_document',
    title: 'CountedFile',
    table: `${schema}.files`,
    key: pathKey('path', isName),
    notFound: NOT_FOUND,
    duplicates: { files_pkey: () => ruleBroken('path', 'is there') },
    fields: {
      path: projectId,
      kind: text(Type.String(), {}),
      look: json(Type.Object({ colour: Type.String() }), { declared: true }),
      others: integer(Type.Integer(), { writes: 'platform', computed: others }),
      ...system,
    },
  });
  const values = { kind: 'page', look: { colour: 'red', unknown: 1 }, others: 7 };
  const columns = columnsOf(counted.fields, 'create', values);
  assert.deepEqual(columns, { kind: 'page', look: { colour: 'red' } });
  const before = (await listAllRecords(whole, counted, {})).length;
  for (const key of ['one', 'two']) await createRecord(automation, counted, columns, { key });
  assert.equal((await getRecord(whole, counted, 'one')).others, before + 1);
  assert.equal((await replaceRecord(automation, counted, 'one', columns)).others, before + 1);
  const { results } = await listRecords(whole, counted, { page: 2, limit: 1 });
  assert.equal(results[0]?.others, before + 1);
  const entries = await historyOf('pages_document', 'two');
  assert.deepEqual(Object(entries[0]?.data).others, before + 1);
  await assert.rejects(
    createRecord(automation, counted, columns, { key: 'two' }),
    (error: unknown) => error instanceof AppError && error.issues?.[0]?.field === 'path',
  );
  assert.deepEqual(Object(counted.reply).title, 'CountedFile');
  assert.deepEqual(Object(counted.replaceBody).title, 'CountedFileReplace');
});

test('tenant-wide writes are rejected even if rules read the record first', async () => {
  const guarded = defineResource({
    table: `${schema}.files`,
    key: pathKey('path', isName),
    notFound: NOT_FOUND,
    guard: () => {
      throw new AppError(FORBIDDEN);
    },
    fields: { path: projectId, kind: text(Type.String(), {}), ...system },
  });
  const member = await memberOf(tenant.apiKey);
  await assert.rejects(
    changeRecord(member, guarded, 'one', {}, () => ({ kind: 'part' })),
    refused('FORBIDDEN'),
  );
});
