/** Changes of large tables on a server: slow parts of a change run while records are read and written. */
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { sql } from 'kysely';
import { type Answer, createClient } from '../../../../test/harness/client.ts';
import { fillTable } from '../../../../test/harness/entity-rows.ts';
import { waitForLock } from '../../../../test/harness/lock-waits.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { killProcesses, startProcess } from '../../../../test/harness/process.ts';
import { createRecordsTenant, type RecordsTenant } from '../../../../test/harness/records.ts';
import { startOwnApp } from '../../../../test/harness/test-app.ts';
import { databaseKind } from '../../../../test/harness/test-database.ts';
import { listTables } from '../../../backup/tables.ts';
import { openServerPool } from '../../../db/pool.ts';
import { schemaOf } from '../../../db/tenant-schemas.ts';
import { STAGED } from './names.ts';
import { dropStagings } from './staging.ts';
import { entityTables } from './stored-tables.ts';

export const runsOn = ['server'];

const ROWS = 200_000;
const onServer = {
  skip: databaseKind() !== 'server' && 'is not done on the embedded database and on a cluster',
};

const app = await startOwnApp();
after(killProcesses);
const { platform } = app.app;
const { database } = platform;

const title = { name: 'title', type: 'string' };
const number = { name: 'number', type: 'integer' };
const shelf = { name: 'shelf', type: 'relation', relation: { entity: 'shelf', kind: 'belongs_to' } };

/** Creates a tenant with a large table of unique titles and numbers. */
async function createLarge(): Promise<RecordsTenant> {
  const tenant = await createRecordsTenant(app, [
    { name: 'shelf', fields: [title] },
    { name: 'item', fields: [title, number] },
  ]);
  await fillTable(database, tenant, 'item', ROWS, { f_title: sql`'Title ' || n`, f_number: sql`n` });
  return tenant;
}

/** Runs `work` during an older open read, for which the build of an index waits. */
async function whileReading<T>({ tenantId }: RecordsTenant, work: () => Promise<T>): Promise<T> {
  const reading = database.forTenant(tenantId).transaction().setIsolationLevel('repeatable read');
  return reading.execute(async (tx) => {
    await sql`select from entities`.execute(tx);
    return work();
  });
}

/** Lists the staged parts of changes. */
async function listStaged({ tenantId }: RecordsTenant): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = ${schemaOf(tenantId)}::regnamespace and starts_with(relname, ${STAGED})
    union all select conname from pg_constraint where connamespace = ${schemaOf(tenantId)}::regnamespace and starts_with(conname, ${STAGED})
    union all select attname from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = ${schemaOf(tenantId)}::regnamespace and c.relkind = 'r' and not attisdropped and starts_with(attname, ${STAGED})`.execute(
    database.everyTenant('tests').query,
  );
  return rows.map(({ name }) => name);
}

/**
 * Returns the response of a change, and the result of `meanwhile`, which runs while an index of the change is built.
 */
async function changeDuring(
  tenant: RecordsTenant,
  fields: readonly object[],
  meanwhile: () => Promise<void>,
): Promise<Answer> {
  const { change } = await whileReading(tenant, async () => {
    const begun = tenant.api.send('PUT', '/api/entities/item', { body: { fields } });
    await waitForLock('the build of an index', database);
    await meanwhile();
    return { change: begun };
  });
  return change;
}

const changed = [
  { ...title, required: true, unique: true },
  { ...number, min: 1, indexed: true },
  { name: 'note', type: 'string', required: true, default: 'none', indexed: true },
  shelf,
];

test(
  'records are read and written by the old definition while rules and indexes are created',
  onServer,
  async () => {
    const tenant = await createLarge();
    const { api, owner } = tenant;
    const answer = await changeDuring(tenant, changed, async () => {
      const { id } = (await owner.post('/api/item', { title: 'meanwhile', number: 5 })).body;
      await owner.put(`/api/item/${id}`, { number: 6 });
      assert.equal((await owner.get('/api/item?title=meanwhile')).body.pagination.total, 1);
      assert.equal((await api.get('/api/entities/item')).body.fields.length, 2);
      assert.equal('note' in (await owner.get(`/api/item/${id}`)).body, false);
    });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(await listStaged(tenant), []);
    assert.equal((await owner.get('/api/item')).body.pagination.total, ROWS + 1);
    const [found] = (await owner.get('/api/item?title=meanwhile')).body.data;
    assert.deepEqual([found.number, found.note, found.shelf_id], [6, 'none', null]);
    // The staged parts match the definition, under the names that the next change expects.
    await owner.post('/api/item', { title: 'meanwhile' }, 409);
    await owner.post('/api/item', { title: 'x', number: 0 }, 400);
    await owner.post('/api/item', { title: 'x', note: null }, 400);
    await owner.post('/api/item', { title: 'x', shelf_id: found.id }, 400);
    const drop = ['note', 'shelf'];
    await api.put('/api/entities/item', { fields: [title, number], drop });
    await api.put('/api/entities/item', { fields: changed });
  },
);

test('a write that violates a staged rule is rejected with its field', onServer, async () => {
  const tenant = await createLarge();
  const { owner } = tenant;
  const answer = await changeDuring(tenant, changed, async () => {
    const same = await owner.post('/api/item', { title: 'Title 1' }, 409);
    assert.deepEqual(same.body.errors, [{ field: 'title', message: 'is already used by another record' }]);
    const little = await owner.post('/api/item', { title: 'x', number: 0 }, 400);
    assert.deepEqual(little.body.errors, [{ field: 'number', message: 'is not allowed by the definition' }]);
    const none = await owner.post('/api/item/bulk', { records: [{ number: 9 }] }, 400);
    assert.deepEqual(none.body.errors, [{ field: 'title', message: 'is not allowed by the definition' }]);
  });
  assert.equal(answer.status, 200, answer.text);
});

test('a backup contains no staged parts', onServer, async () => {
  const tenant = await createLarge();
  const pool = openServerPool(app.env.DATABASE_URL ?? '');
  const answer = await changeDuring(tenant, changed, async () => {
    assert.ok((await listStaged(tenant)).length > 0);
    const tables = await listTables(pool.pool, entityTables);
    const own = tables.find(({ name }) => name === `${schemaOf(tenant.tenantId)}.item`);
    assert.deepEqual(
      [...(own?.columns.keys() ?? [])].filter((name) => !name.startsWith('f_')),
      ['tenant_id', 'id', 'created_at', 'updated_at', 'created_by', 'updated_by'],
    );
  });
  await pool.close();
  assert.equal(answer.status, 200, answer.text);
});

test('a large table has one change at a time', onServer, async () => {
  const tenant = await createLarge();
  const { api } = tenant;
  const answer = await changeDuring(tenant, [{ ...title, unique: true }, number], async () => {
    const fields = [title, { ...number, indexed: true }];
    const other = await api.send('PUT', '/api/entities/item', { body: { fields } });
    assert.deepEqual([other.status, other.body.code], [409, 'ENTITY_BUSY']);
    const gone = await api.send('DELETE', '/api/entities/item?drop=true');
    assert.deepEqual([gone.status, gone.body.code], [409, 'ENTITY_BUSY']);
    // Changes that do not affect the table succeed.
    await api.put('/api/entities/item', { fields: [title, number], label: 'Items' });
    await api.put('/api/entities/shelf', { fields: [title, number] });
  });
  assert.equal(answer.status, 200, answer.text);
  assert.equal((await api.get('/api/entities/item')).body.fields[0].unique, true);
});

test('a change overtaken by another is rejected, and leaves no staged parts', onServer, async () => {
  const tenant = await createLarge();
  const { api, owner } = tenant;
  const { change } = await whileReading(tenant, async () => {
    const body = { fields: [{ ...title, unique: true }, number], version: 1 };
    const begun = api.send('PUT', '/api/entities/item', { body });
    await waitForLock('the build of an index', database);
    await api.put('/api/entities/item', { fields: [title, number], label: 'Items' });
    return { change: begun };
  });
  const answer = await change;
  assert.deepEqual([answer.status, answer.body.code], [409, 'VERSION_CONFLICT']);
  assert.deepEqual(await listStaged(tenant), []);
  await owner.post('/api/item', { title: 'Title 1' });
});

test(
  'a change of a large table is rejected if records violate it, and leaves nothing',
  onServer,
  async () => {
    const tenant = await createLarge();
    const { api, owner } = tenant;
    await owner.post('/api/item', { title: 'Title 7', number: -1 });
    await owner.post('/api/item', { number: -2 });
    const refused = await api.put(
      '/api/entities/item',
      {
        fields: [
          { ...title, required: true, unique: true, pattern: '^Title [0-8]' },
          { ...number, min: 0, indexed: true },
          { name: 'code', type: 'integer', unique: true, default: 1 },
        ],
      },
      422,
    );
    assert.deepEqual(
      refused.body.issues.map(
        ({ field, message }: { field: string; message: string }) => `${field}: ${message}`,
      ),
      [
        'title: 11111 records not matching the pattern',
        'title: 1 record without a value',
        'title: 2 records with a value that other records have too',
        'number: 2 records below the minimum value 0',
      ],
    );
    // A constant default is visible only once the column exists.
    const same = { name: 'code', type: 'integer', unique: true, default: 1 };
    const { body } = await api.put('/api/entities/item', { fields: [title, number, same] }, 422);
    assert.equal(body.issues[0].message, `${ROWS + 2} records with a value that other records have too`);
    assert.deepEqual(await listStaged(tenant), []);
    assert.equal((await api.get('/api/entities/item')).body.version, 1);
    await owner.post('/api/item', { title: 'Title 7' });
  },
);

test(
  'a new required relation is rejected if a large table has records, and leaves nothing',
  onServer,
  async () => {
    const tenant = await createLarge();
    const body = { fields: [title, number, { ...shelf, required: true }] };
    const refused = await tenant.api.put('/api/entities/item', body, 422);
    assert.deepEqual(
      refused.body.issues.map(
        ({ field, message }: { field: string; message: string }) => `${field}: ${message}`,
      ),
      [`shelf_id: ${ROWS} records without a value`],
    );
    assert.deepEqual(await listStaged(tenant), []);
    await tenant.owner.post('/api/item', { title: 'x' });
  },
);

test(
  'a large table without column numbers rejects new columns before anything is created',
  onServer,
  async () => {
    const tenant = await createLarge();
    const table = `"${schemaOf(tenant.tenantId)}".item`;
    const pool = openServerPool(app.env.DATABASE_URL ?? '');
    await pool.pool.query(`do $$ begin for n in 1..1591 loop
    alter table ${table} add column used int; alter table ${table} drop column used; end loop; end $$`);
    await pool.close();
    const refuse = async () => (await tenant.api.put('/api/entities/item', { fields: changed }, 422)).body;
    const error = await refuse();
    assert.match(error.issues[0].message, /^need 2 columns, but the table has [01] left/);
    assert.deepEqual(await listStaged(tenant), []);
    // The failed attempt used up none.
    assert.deepEqual(await refuse(), error);
  },
);

test('a change is rejected if a record that violates it is written after the check', onServer, async () => {
  const tenant = await createLarge();
  const { api } = tenant;
  for (const [field, values, fault] of [
    [
      { ...title, unique: true },
      { f_title: 'Title 3', f_number: 1 },
      '2 records with a value that other records have too',
    ],
    [{ ...title, required: true }, { f_title: null, f_number: 3 }, '1 record without a value'],
    [{ ...title, pattern: '^Title' }, { f_title: 'None', f_number: 1 }, '1 record not matching the pattern'],
  ] as const) {
    const { change, undo } = await database
      .forTenant(tenant.tenantId)
      .transaction()
      .execute(async (tx) => {
        const { rows } = await sql<{ id: string }>`
          insert into ${sql.id(schemaOf(tenant.tenantId), 'item')} (tenant_id, id, created_at, updated_at, f_title, f_number)
          values (${tenant.tenantId}, gen_random_uuid(), now(), now(), ${values.f_title}, ${values.f_number}) returning id`.execute(
          tx,
        );
        const begun = api.send('PUT', '/api/entities/item', { body: { fields: [field, number] } });
        await waitForLock('the change', database);
        return { change: begun, undo: rows[0]?.id };
      });
    const { status, body } = await change;
    assert.deepEqual([status, body.issues?.[0]?.message], [422, fault]);
    assert.deepEqual(await listStaged(tenant), []);
    await tenant.owner.delete(`/api/item/${undo}`);
  }
});

test('a tenant can be reset while an index of its tables is built', onServer, async () => {
  const tenant = await createLarge();
  const { reset, change } = await whileReading(tenant, async () => {
    const body = { fields: [{ ...title, unique: true }, number] };
    const begun = tenant.api.send('PUT', '/api/entities/item', { body });
    await waitForLock('the build of an index', database);
    const resetting = app.admin.post(`/admin/tenants/${tenant.code}/reset`, { confirm: tenant.code });
    return { change: begun, reset: resetting };
  });
  await reset;
  assert.ok([200, 404, 409].includes((await change).status), (await change).text);
  assert.deepEqual((await tenant.api.get('/api/entities')).body.results, []);
});

test('the next change or a job drops the staged parts of a killed process', onServer, async () => {
  const tenant = await createLarge();
  const { api, owner } = tenant;
  const fields = [{ ...title, unique: true, required: true }, number];
  const kill = async () => {
    const process = await startProcess({ ...app.env, LOG_LEVEL: 'info' });
    await whileReading(tenant, async () => {
      const elsewhere = createClient(process.url, { 'x-api-key': tenant.apiKey });
      const cut = elsewhere.send('PUT', '/api/entities/item', { body: { fields } }).catch(() => null);
      await waitForLock('the build of an index', database);
      await process.kill('SIGKILL');
      await cut;
    });
  };
  await kill();
  assert.equal((await api.get('/api/entities/item')).body.version, 1);
  assert.notDeepEqual(await listStaged(tenant), []);
  // The server notices the end of the process only after it has built its index.
  const other = { fields: [title, { ...number, indexed: true }] };
  await eventually('the next change', async () => {
    const { status } = await api.send('PUT', '/api/entities/item', { body: other });
    return status === 200;
  });
  assert.deepEqual(await listStaged(tenant), []);
  await owner.post('/api/item', { title: 'Title 1' });
  await owner.delete(`/api/item/${(await owner.get('/api/item?title=Title 1')).body.data[0].id}`);

  await kill();
  const later = { ...platform, clock: () => new Date(Date.now() + 120_000) };
  await eventually('the job', async () => {
    await dropStagings.runChecked(later, {});
    return (await listStaged(tenant)).length === 0;
  });
  await owner.post('/api/item', { title: 'Title 2' });
  await dropStagings.runChecked(later, {});
});
