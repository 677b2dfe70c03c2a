/** Entities of tenants on several nodes of a cluster, through processes at several of the nodes. */
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { createDatabase } from '../../src/db/database.ts';
import { openServerPool } from '../../src/db/pool.ts';
import { schemaOf } from '../../src/db/tenant-schemas.ts';
import { createClient } from '../harness/client.ts';
import { nodesOf } from '../harness/cluster-nodes.ts';
import { waitForLock } from '../harness/lock-waits.ts';
import { signIn } from '../harness/members.ts';
import { killProcesses, startProcess, type TestProcess } from '../harness/process.ts';
import { startOwnApp, type TestTenant } from '../harness/test-app.ts';
import { databaseKind, testServerUrl } from '../harness/test-database.ts';

export const runsOn = ['cluster'];

const skip = databaseKind() !== 'cluster' && 'needs TEST_CLUSTER_URL';
after(killProcesses);

const site = await startOwnApp();
const { database } = site.app.platform;
const title = { name: 'title', type: 'string', searchable: true };
const number = { name: 'number', type: 'integer' };

/** URL of the file's database on a node other than the coordinator. */
function urlElsewhere(): string {
  const url = new URL(site.env.DATABASE_URL ?? '');
  const { hostname, port } = new URL(nodesOf(testServerUrl() ?? '')[1] ?? '');
  Object.assign(url, { hostname, port });
  return url.href;
}

/** Starts a process at that node. */
function startElsewhere(): Promise<TestProcess> {
  return startProcess({ ...site.env, DATABASE_URL: urlElsewhere(), LOG_LEVEL: 'info' });
}

/** Returns clients of a tenant's owner at a process: for definitions, and for records. */
async function clientsAt(url: string, { apiKey, ownerEmail }: TestTenant) {
  const api = createClient(url, { 'x-api-key': apiKey });
  return { api, person: (await signIn(api, ownerEmail)).bearer };
}

const tableOf = ({ tenantId }: TestTenant) => sql.id(schemaOf(tenantId), 'item');

test('definitions can be changed through any node, and every process uses the current one', {
  skip,
}, async () => {
  const tenant = await site.createTenant();
  const other = await startElsewhere();
  const here = await clientsAt(site.url, tenant);
  const there = await clientsAt(other.url, tenant);
  await there.api.post('/api/entities', { name: 'item', fields: [title] });
  await here.person.post('/api/item', { title: 'first here' });
  await there.person.post('/api/item', { title: 'then there' });
  for (const { person } of [here, there])
    assert.equal((await person.get('/api/item?search=there')).body.pagination.total, 1);
  await here.api.put('/api/entities/item', { fields: [title, { ...number, default: 1 }] });
  await there.person.post('/api/item', { title: 'again', number: 2 });
  await there.api.put('/api/entities/item', { fields: [title, { ...number, unique: true }] }, 422);
  await there.api.put('/api/entities/item', { fields: [title, number] });
  const bulk = { records: [{ title: 'x' }, { title: 'y', number: 3 }] };
  await there.person.post('/api/item/bulk', bulk);
  const found = async ({ person }: typeof here) =>
    (await person.get('/api/item?sort=_created_at,title')).body.data.map(
      (each: { title: string; number: number | null }) => `${each.title} ${each.number}`,
    );
  assert.deepEqual(await found(here), ['first here 1', 'then there 1', 'again 2', 'x null', 'y 3']);
  assert.deepEqual(await found(there), await found(here));
  const operator = createClient(other.url, { authorization: `Bearer ${site.env.ADMIN_TOKEN}` });
  await operator.post(`/admin/tenants/${tenant.code}/reset`, { confirm: tenant.code });
  for (const { api } of [here, there])
    assert.deepEqual((await api.get('/api/entities')).body, { results: [] });
  await here.api.post('/api/entities', { name: 'item', fields: [number] });
  await there.api.delete('/api/entities/item?drop=true');
  const { rows } =
    await sql`select from pg_tables where schemaname = ${schemaOf(tenant.tenantId)} and tablename = 'item'`.execute(
      database.forTenant(tenant.tenantId),
    );
  assert.deepEqual(rows, []);
  await other.kill('SIGTERM');
});

test('a change gives up while another node locks records, and succeeds afterwards', {
  skip,
}, async (t) => {
  const tenant = await site.createTenant();
  await tenant.api.post('/api/entities', { name: 'item', fields: [title] });
  const pool = openServerPool(urlElsewhere());
  t.after(() => pool.close());
  const elsewhere = (await createDatabase(pool)).forTenant(tenant.tenantId);
  const change = () => tenant.api.send('PUT', '/api/entities/item', { body: { fields: [title, number] } });
  await elsewhere.transaction().execute(async (tx) => {
    await sql`select count(*) from ${tableOf(tenant)}`.execute(tx);
    const { status, body } = await change();
    assert.deepEqual([status, body.code], [409, 'ENTITY_BUSY']);
  });
  const changed = await elsewhere.transaction().execute(async (tx) => {
    await sql`select count(*) from ${tableOf(tenant)}`.execute(tx);
    const answer = change();
    await waitForLock('the change to wait', database);
    return { answer };
  });
  assert.equal((await changed.answer).status, 200);
});

test('writes of a tenant wait while its records are moved; reads do not', {
  skip,
}, async (t) => {
  const tenant = await site.createTenant();
  await tenant.api.post('/api/entities', { name: 'item', fields: [title] });
  const { person } = await clientsAt(site.url, tenant);
  await person.post('/api/item', { title: 'before' });
  const mover = new pg.Client({ connectionString: site.env.DATABASE_URL });
  await mover.connect();
  t.after(() => mover.end());
  await mover.query('begin');
  // Citus blocks writes like this at the end of a move.
  await mover.query(
    'select lock_shard_metadata(7, array_agg(shardid)) from pg_dist_shard where logicalrelid = $1::regclass',
    [`${schemaOf(tenant.tenantId)}.item`],
  );
  // The block does not depend on whether a statement writes records.
  const written = sql`
    with tag as (insert into email_tags (tenant_id, tag) values (${tenant.tenantId}, 'meanwhile')) select`.execute(
    database.forTenant(tenant.tenantId),
  );
  await waitForLock('the statement to wait', database);
  assert.equal((await person.get('/api/item')).body.pagination.total, 1);
  await mover.query('commit');
  await written;
});

/** Moves the schema of a tenant to another node. */
async function move({ tenantId }: TestTenant): Promise<void> {
  const client = new pg.Client({ connectionString: site.env.DATABASE_URL });
  await client.connect();
  try {
    await client.query(
      `select citus_schema_move($1::regnamespace, n.nodeid, 'force_logical') from pg_dist_node n
       where n.shouldhaveshards and n.groupid not in (
         select p.groupid from pg_dist_placement p join pg_dist_shard s using (shardid)
         where s.logicalrelid = ($1 || '.item')::regclass) limit 1`,
      [schemaOf(tenantId)],
    );
  } finally {
    await client.end();
  }
}

test('records are written during a move to another node and stay isolated there', {
  skip,
}, async () => {
  const [mine, theirs] = [await site.createTenant(), await site.createTenant()];
  await mine.api.post('/api/entities', { name: 'item', fields: [title] });
  const { person } = await clientsAt(site.url, mine);
  let isMoved = false;
  const write = async () => {
    let written = 0;
    while (!isMoved || written === 0) {
      await person.post('/api/item', { title: 'new' });
      await person.put('/api/item/bulk', { filter: { title: 'new' }, update: { title: 'changed' } });
      written += 1;
    }
    return written;
  };
  const writing = Promise.all([write(), write()]);
  await move(mine).finally(() => {
    isMoved = true;
  });
  const written = await writing;
  const { body } = await person.get('/api/item?title=changed');
  assert.equal(
    body.pagination.total,
    written.reduce((sum, each) => sum + each, 0),
  );
  const asTheirs = sql<{ count: number }>`select count(*) from ${tableOf(mine)}`.execute(
    database.forTenant(theirs.tenantId),
  );
  assert.deepEqual((await asTheirs).rows, [{ count: 0 }]);
  await mine.api.put('/api/entities/item', { fields: [title, { ...number, indexed: true }] });
});
