/** Definitions that change while records are read and written. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { insertRow, readColumn } from '../../../../test/harness/entity-rows.ts';
import { startOwnApp } from '../../../../test/harness/test-app.ts';
import { databaseKind } from '../../../../test/harness/test-database.ts';
import { isPlanStale } from '../../../db/sqlstate.ts';
import { schemaOf } from '../../../db/tenant-schemas.ts';

export const runsOn = ['embedded', 'server'];

const app = await startOwnApp();
const { database } = app.app.platform;
const onServer = { skip: databaseKind() === 'embedded' && 'has one connection' };

const title = { name: 'title', type: 'string' };
const number = { name: 'number', type: 'integer' };

test('no write is lost or repeated while fields are added, made unique, made required and removed', async () => {
  const tenant = await app.createTenant();
  await tenant.api.post('/api/entities', { name: 'item', fields: [title, number] });
  const written = new Set<string>();
  let next = 0;
  let isDone = false;
  let reads = 0;
  const write = async () => {
    while (!isDone) {
      next += 1;
      // Retries if a statement was prepared for the earlier table; the failed statement wrote nothing.
      const values = { f_title: `t${next}`, f_number: next };
      const id = await insertRow(database, tenant, 'item', values).catch((error: unknown) => {
        if (!isPlanStale(error)) throw error;
        return insertRow(database, tenant, 'item', values);
      });
      written.add(id);
    }
  };
  const table = sql.id(schemaOf(tenant.tenantId), 'item');
  const read = async () => {
    let most = 0;
    while (!isDone) {
      const counted = sql<{ count: number }>`select count(f_title) as count from ${table}`;
      const { rows } = await counted.execute(database.forTenant(tenant.tenantId));
      assert.ok((rows[0]?.count ?? 0) >= most, 'records that were there stay');
      most = rows[0]?.count ?? 0;
      reads += 1;
    }
  };
  const work = [write(), write(), write(), read()];
  const stages = [
    [title, number, { name: 'note', type: 'text', searchable: true }],
    [{ ...title, unique: true }, number, { name: 'note', type: 'text' }],
    [
      { ...title, required: true, indexed: true },
      { ...number, required: true, unique: true },
    ],
    [title, { ...number, type: 'number', min: 0 }],
    [title, number],
  ];
  for (const fields of stages) {
    await tenant.api.put('/api/entities/item', { fields, drop: ['note'] });
    const before = written.size;
    while (written.size < before + 50) await new Promise((resolve) => setImmediate(resolve));
  }
  isDone = true;
  await Promise.all(work);
  assert.ok(reads > 0);
  assert.deepEqual(new Set(await readColumn(database, tenant, 'item', 'id')), written);
  const numbers = await readColumn(database, tenant, 'item', 'f_number');
  assert.deepEqual(
    numbers.map(Number).sort((a, b) => a - b),
    Array.from({ length: next }, (_, n) => n + 1),
  );
});

test('of two concurrent changes of one version only one succeeds', async () => {
  const tenant = await app.createTenant();
  await tenant.api.post('/api/entities', { name: 'item', fields: [title] });
  const answers = await Promise.all(
    ['a', 'b', 'c'].map((name) =>
      tenant.api.send('PUT', '/api/entities/item', {
        body: { fields: [title, { ...number, name }], version: 1 },
      }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409]);
  const fields = (await tenant.api.get('/api/entities/item')).body.fields;
  await readColumn(database, tenant, 'item', `f_${fields[1].name}`);
  const others = ['a', 'b', 'c'].filter((name) => name !== fields[1].name);
  for (const name of others) await assert.rejects(readColumn(database, tenant, 'item', `f_${name}`));
  const created = await Promise.all(
    ['x', 'x', 'y'].map((name) => tenant.api.send('POST', '/api/entities', { body: { name, fields: [] } })),
  );
  assert.deepEqual(created.map(({ status }) => status).sort(), [200, 200, 409]);
});

test('a change gives up while records stay locked, and others can read and write', onServer, async () => {
  const tenant = await app.createTenant();
  await tenant.api.post('/api/entities', { name: 'item', fields: [title] });
  const table = sql.id(schemaOf(tenant.tenantId), 'item');
  await database
    .forTenant(tenant.tenantId)
    .transaction()
    .execute(async (tx) => {
      await sql`select count(*) from ${table}`.execute(tx);
      const changed = tenant.api.send('PUT', '/api/entities/item', { body: { fields: [title, number] } });
      let isOver = false;
      const watched = changed.finally(() => {
        isOver = true;
      });
      let writes = 0;
      while (!isOver) {
        await insertRow(database, tenant, 'item', { f_title: 'meanwhile' });
        writes += 1;
      }
      const { status, body } = await watched;
      assert.deepEqual([status, body.code], [409, 'ENTITY_BUSY']);
      assert.ok(writes > 5, `${writes} records were written`);
    });
  assert.equal((await tenant.api.get('/api/entities/item')).body.fields.length, 1);
  await tenant.api.put('/api/entities/item', { fields: [title, number] });
});

test('a dry run of restoring a definition does not wait for writers of records', onServer, async () => {
  const { api, tenantId } = await app.createTenant();
  await api.post('/api/entities', { name: 'item', fields: [title, number] });
  await api.put('/api/entities/item', { fields: [{ ...title, unique: true }], drop: ['number'] });
  const restore = async (more: object, status = 200) => {
    const body = { entityType: 'entity', entitySortKey: 'item', ...more };
    return (await api.post('/api/entity/restore', body, status)).body;
  };
  const table = sql.id(schemaOf(tenantId), 'item');
  await database
    .forTenant(tenantId)
    .transaction()
    .execute(async (writer) => {
      await sql`lock table ${table} in row exclusive mode`.execute(writer);
      const { changed_fields: changed } = await restore({ version: 1, dry_run: true });
      assert.deepEqual(changed, ['fields']);
    });
  await api.delete('/api/entities/item?drop=true');
  assert.deepEqual((await restore({ dry_run: true })).version, 3);
  await api.get('/api/entities/item', 404);
  await restore({ version: 1 });
});
