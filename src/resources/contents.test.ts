/** Records in a parent record are deleted and copied with it, tested on separate tables. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import test from 'node:test';
import { sql } from 'kysely';
import Type from 'typebox';
import { startTestApp } from '../../test/harness/test-app.ts';
import { NOT_FOUND } from '../errors/platform-errors.ts';
import type { Actor } from '../tenancy/actor.ts';
import { wholeTenant } from '../tenancy/scope.ts';
import {
  type Contents,
  type CopiedRecords,
  copyContents,
  type DeletedRecords,
  deleteContents,
} from './contents.ts';
import { hidden, json, moment, owner, text, version } from './fields.ts';
import { onlyOne, pathKey, within } from './keys.ts';
import { createRecords, findRecord, putRecord } from './records.ts';
import { defineResource } from './resource.ts';

export const runsOn = ['embedded', 'server'];

const { app, createTenant } = await startTestApp();
const { platform } = app;
const { tenantId, defaultUnitId } = await createTenant();
const schema = `s${randomUUID().replaceAll('-', '')}`;
const counts = `counts_${schema}`;

await platform.database.everyTenant('tests').transaction(async (tx) => {
  const columns =
    'tenant_id uuid, owner_bu_id uuid, version int, created_at timestamptz, updated_at timestamptz';
  await tx.raw(sql`set local role none`);
  await tx.raw(sql`create schema ${sql.id(schema)}`);
  const tables = {
    pages: `${columns}, site text, id text, name text, look json, primary key (tenant_id, site, id)`,
    looks: `${columns}, site text, look json, primary key (tenant_id, site)`,
    counts:
      'tenant_id uuid, owner_bu_id uuid, slot int, pages int, primary key (tenant_id, owner_bu_id, slot)',
  };
  // Totals are stored in tables of the usual schema.
  await tx.raw(sql`create table ${sql.id(counts)} (tenant_id uuid, owner_bu_id uuid, slot int, pages int,
    primary key (tenant_id, owner_bu_id, slot))`);
  await tx.raw(sql`grant select, insert, update on ${sql.id(counts)} to tessera_app`);
  for (const [name, definition] of Object.entries(tables))
    await tx.raw(sql`create table ${sql.id(schema, name)} (${sql.raw(definition)})`);
  await tx.raw(sql`grant usage on schema ${sql.id(schema)} to tessera_app`);
  await tx.raw(
    sql`grant select, insert, update, delete on all tables in schema ${sql.id(schema)} to tessera_app`,
  );
});
for (const each of [schema, 'public']) await platform.tables.learn(each);

const isName = (name: string) => /^[\w.-]{1,128}$/.test(name);
const site = pathKey('site', isName);
const given = text(Type.String(), { writes: 'platform' });
const system = { owner: hidden(owner), version, created_at: moment, updated_at: moment };

const pages = defineResource({
  entityType: 'pages_document',
  table: `${schema}.pages`,
  key: within(site, pathKey('id', isName)),
  notFound: NOT_FOUND,
  ownedByParent: true,
  fields: {
    site: given,
    id: given,
    name: text(Type.String(), {}),
    look: json(Type.Object({}), { default: {} }),
    ...system,
  },
  totals: { table: counts, column: 'pages', by: [], slots: 2 },
});
const looks = defineResource({
  entityType: 'pages_site_settings',
  table: `${schema}.looks`,
  key: within(site, onlyOne('site_settings')),
  notFound: NOT_FOUND,
  ownedByParent: true,
  fields: { site: given, look: json(Type.Object({}), {}), ...system },
});

const actor: Actor = { kind: 'automation', key: 'tidy', runId: 'r2', chain: ['r1'], depth: 1 };
const db = platform.scoped(wholeTenant(tenantId));
const now = new Date('2026-01-02T03:04:05.678Z');
const authorship = { actor: { kind: 'operator' } as const, now: new Date('2026-02-03T04:05:06.789Z') };
const relatedCalls: (CopiedRecords | DeletedRecords)[] = [];
const contents: Contents = {
  resource: pages,
  isPart: (table) => sql<boolean>`${sql.ref(`${table}.name`)} <> 'kept'`,
  copyRelated: async (_tx, copy) => void relatedCalls.push(copy),
  deleteRelated: async (_tx, deletion) => void relatedCalls.push(deletion),
};

async function makePages(ids: readonly string[], name = 'Page', look: object = { b: 1, a: 2 }) {
  const parent = `site-${randomUUID()}`;
  const records = ids.map((id) => ({ key: [parent, id], columns: { name, look } }));
  await createRecords({ actor, db, now }, pages, records, { ownerId: defaultUnitId });
  return parent;
}

const copyAll = async (from: string, to: string, limit: number, ownerId = defaultUnitId) => {
  const batches: string[] = [];
  const next = (after: string | null) =>
    db.transaction((tx) => copyContents(tx, contents, { from, to, ownerId, after, limit }, authorship));
  for (let last = await next(null); last !== null; last = await next(last)) batches.push(last);
  return batches;
};

const pagesOf = (parent: string) =>
  db.query
    .withTables<Record<string, Record<string, unknown>>>()
    .selectFrom(`${schema}.pages`)
    .selectAll()
    .where('site', '=', parent)
    .orderBy('id')
    .execute();

async function historyOf(sortKey: string) {
  return db.query
    .selectFrom('record_history')
    .select(['version', 'deleted', 'owner_bu_id', 'recorded_at', 'data', 'actor'])
    .where('sort_key', '=', sortKey)
    .orderBy('version')
    .orderBy('deleted')
    .execute();
}

test('copies equal their originals, are created in batches, each with its history', async () => {
  const from = await makePages(['a', 'b', 'c', 'd', 'e']);
  const [to, ownerId] = [`site-${randomUUID()}`, randomUUID()];
  assert.deepEqual(await copyAll(from, to, 2, ownerId), ['b', 'd', 'e']);
  const copies = await pagesOf(to);
  assert.deepEqual(
    copies.map(({ id, name, look, version: count, owner_bu_id }) => [id, name, look, count, owner_bu_id]),
    ['a', 'b', 'c', 'd', 'e'].map((id) => [id, 'Page', { b: 1, a: 2 }, 1, ownerId]),
  );
  // Sorting by age keeps the order.
  assert.ok(copies.every(({ created_at }) => created_at === now.toISOString()));
  const [entry, ...others] = await historyOf(`${to}#c`);
  assert.equal(others.length, 0);
  assert.deepEqual([entry?.version, entry?.deleted, entry?.owner_bu_id], [1, false, ownerId]);
  assert.deepEqual([entry?.recorded_at, entry?.actor], [authorship.now.toISOString(), authorship.actor]);
  const copy = await findRecord(db, pages, [to, 'c']);
  assert.ok(copy);
  assert.equal(JSON.stringify(entry?.data), JSON.stringify(pages.view(copy)));
});

test('children of a record are deleted in batches, each with its last version in history', async () => {
  const [of, other] = [await makePages(['a', 'b', 'c']), await makePages(['a'])];
  const deleteBatch = () => db.transaction((tx) => deleteContents(tx, contents, of, authorship, 2));
  assert.equal(await deleteBatch(), 2);
  assert.equal((await pagesOf(of)).length, 1);
  assert.deepEqual([await deleteBatch(), await deleteBatch()], [1, 0]);
  assert.equal((await pagesOf(other)).length, 1);
  const history = await historyOf(`${of}#b`);
  assert.deepEqual(
    history.map(({ version: count, deleted, recorded_at, actor: who }) => [count, deleted, recorded_at, who]),
    [
      [1, false, now.toISOString(), history[0]?.actor],
      [1, true, authorship.now.toISOString(), authorship.actor],
    ],
  );
});

test('records outside a parent are neither deleted nor copied with it', async () => {
  const of = await makePages(['a'], 'kept');
  assert.equal(await db.transaction((tx) => deleteContents(tx, contents, of, authorship, 10)), 0);
  assert.deepEqual(await copyAll(of, `site-${randomUUID()}`, 10), []);
  assert.equal((await pagesOf(of)).length, 1);
});

test('a kind with related rows is notified of each batch', async () => {
  const from = await makePages(['a', 'b', 'c']);
  const to = `site-${randomUUID()}`;
  relatedCalls.length = 0;
  await copyAll(from, to, 2);
  await db.transaction((tx) => deleteContents(tx, contents, to, authorship, 10));
  assert.deepEqual(relatedCalls, [
    { from, to, ids: ['a', 'b'] },
    { from, to, ids: ['c'] },
    { parent: to, ids: ['a', 'b', 'c'] },
  ]);
});

test('a batch of large records is smaller, and never empty', async () => {
  // The database compresses values unless that is impossible.
  const noise = randomBytes(3_000_000).toString('base64');
  const from = await makePages(['a', 'b', 'c'], 'Large', { noise });
  const to = `site-${randomUUID()}`;
  const batches = await copyAll(from, to, 10);
  assert.ok(batches.length > 1, String(batches));
  assert.equal((await pagesOf(to)).length, 3);
});

test('totals increase with copies and decrease with deletions', async () => {
  const of = await makePages(['a', 'b', 'c']);
  const [to, ownerId] = [`site-${randomUUID()}`, randomUUID()];
  const total = async () => {
    const { rows } = await db.raw(
      (tenant) => sql<{ total: number }>`
        select coalesce(sum(pages), 0)::int as total from ${sql.table(counts)}
        where tenant_id = ${tenant}::uuid and owner_bu_id = ${ownerId}::uuid`,
    );
    return rows[0]?.total;
  };
  await copyAll(of, to, 2, ownerId);
  assert.equal(await total(), 3);
  await db.transaction((tx) => deleteContents(tx, contents, to, authorship, 2));
  assert.equal(await total(), 1);
});

test('a singleton is copied and deleted', async () => {
  const [from, to] = [`site-${randomUUID()}`, `site-${randomUUID()}`];
  const ownerId = defaultUnitId;
  await putRecord({ actor, db, now }, looks, [from], { look: { a: 1 } }, { ownerId });
  const request = { from, to, ownerId, after: null, limit: 10 };
  assert.equal(
    await db.transaction((tx) => copyContents(tx, { resource: looks }, request, authorship)),
    null,
  );
  assert.deepEqual((await findRecord(db, looks, [to]))?.look, { a: 1 });
  const remove = () => db.transaction((tx) => deleteContents(tx, { resource: looks }, to, authorship, 10));
  assert.deepEqual([await remove(), await remove()], [1, 0]);
  assert.equal((await historyOf(`${to}#site_settings`)).length, 2);
});

test('a record recreated under a key continues from the last version of the earlier one', async () => {
  const of = await makePages(['a']);
  await db.transaction((tx) => deleteContents(tx, contents, of, authorship, 10));
  const put = () =>
    putRecord({ actor, db, now }, pages, [of, 'a'], { name: 'Again', look: {} }, { ownerId: defaultUnitId });
  assert.deepEqual([(await put()).version, (await put()).version], [2, 3]);
  assert.deepEqual(
    (await historyOf(`${of}#a`)).map(({ version: count, deleted }) => [count, deleted]),
    [
      [1, false],
      [1, true],
      [2, false],
      [3, false],
    ],
  );
});
