import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { waitForLock } from '../../test/harness/lock-waits.ts';
import { insertTenants } from '../../test/harness/tenant-rows.ts';
import { startTestApp } from '../../test/harness/test-app.ts';
import { databaseKind } from '../../test/harness/test-database.ts';
import { units } from '../features/tenancy/business-units/resource.ts';
import { getRecord } from '../resources/records.ts';
import { wholeTenant } from '../tenancy/scope.ts';

export const runsOn = ['cluster'];

const options = { skip: databaseKind() === 'cluster' ? false : 'tenants are spread on a cluster alone' };

const { app, env } = await startTestApp();
const { database } = app.platform;
const [mine, theirs] = [randomUUID(), randomUUID()];
await insertTenants(database, [mine, theirs]);

const unitsOf = (tenantId: string) => sql<{ bu_id: string }>`
  select bu_id from business_units where tenant_id = ${tenantId}`;

test(
  'row-level security on the node hides rows of another tenant, whatever the statement',
  options,
  async () => {
    const own = await unitsOf(mine).execute(database.forTenant(mine));
    const foreign = await unitsOf(theirs).execute(database.forTenant(mine));
    assert.deepEqual([own.rows, foreign.rows], [[{ bu_id: mine }], []]);
  },
);

test("row-level security on the node rejects writes of another tenant's rows", options, async () => {
  const renamed = sql`update business_units set name = 'Mine' where tenant_id = ${theirs}`;
  const { numAffectedRows } = await renamed.execute(database.forTenant(mine));
  assert.equal(numAffectedRows, 0n);
  const inserted = sql`
    insert into email_tags (tenant_id, tag) values (${theirs}, 'theirs')`.execute(database.forTenant(mine));
  await assert.rejects(inserted, /row-level security/);
});

test('each statement runs as its own tenant, also on a reused connection', options, async () => {
  const reads = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? mine : theirs));
  const found = await Promise.all(
    reads.map((tenantId) => unitsOf(tenantId).execute(database.forTenant(tenantId))),
  );
  assert.deepEqual(
    found.map(({ rows }) => rows),
    reads.map((bu_id) => [{ bu_id }]),
  );
});

test(
  'all statements of a transaction run as its tenant, and are rolled back if it fails',
  options,
  async () => {
    const work = database
      .forTenant(mine)
      .transaction()
      .execute(async (tx) => {
        await sql`insert into email_tags (tenant_id, tag) values (${mine}, 'unwritten')`.execute(tx);
        const { rows } = await sql`select tag from email_tags where tenant_id = ${mine}`.execute(tx);
        assert.deepEqual(rows, [{ tag: 'unwritten' }]);
        throw new Error('no');
      });
    await assert.rejects(work, /^Error: no$/);
    const { rows } = await sql`select tag from email_tags where tenant_id = ${mine}`.execute(
      database.forTenant(mine),
    );
    assert.deepEqual(rows, []);
  },
);

test(
  'a statement of one tenant that would query several nodes is rejected, work across tenants is not',
  options,
  async () => {
    const count = sql<{ count: number }>`select count(*) from business_units where is_default`;
    await assert.rejects(count.execute(database.forTenant(mine)), /multi-task query/);
    const { rows } = await database.everyTenant('tests').raw(count);
    assert.ok((rows[0]?.count ?? 0) >= 2);
  },
);

/** Locks a shard as Citus does at the end of a move, when it no longer follows writes. */
const BLOCK_WRITES = `
  select lock_shard_metadata(7, array[get_shard_id_for_distribution_column('business_units', $1::uuid)])`;

/** Runs `work` while a shard is locked as at the end of a move, and then releases the lock. */
async function whileMoved(tenantId: string, work: (mover: pg.Client) => Promise<void>): Promise<void> {
  const mover = new pg.Client({ connectionString: env.DATABASE_URL });
  await mover.connect();
  try {
    await mover.query('begin');
    await mover.query(BLOCK_WRITES, [tenantId]);
    await work(mover);
  } finally {
    await mover.end();
  }
}

const writeTag = (tag: string) => sql`
  with tag as (insert into email_tags (tenant_id, tag) values (${mine}, ${tag})) select`;

test(
  'writes wait while their shard is moved, also those that Citus treats as reads; reads do not wait',
  options,
  async () => {
    let written: Promise<unknown> | null = null;
    await whileMoved(mine, async () => {
      written = writeTag('moved').execute(database.forTenant(mine));
      await waitForLock('the statement to wait', database);
      const alone = database.forTenant(mine);
      const read = alone.selectFrom('business_units').select('bu_id').where('tenant_id', '=', mine);
      assert.deepEqual(await read.execute(), [{ bu_id: mine }]);
      const scoped = app.platform.scoped(wholeTenant(mine));
      // After compiling once, a query no longer has its tree.
      for (let time = 0; time < 2; time += 1)
        assert.equal((await getRecord(scoped, units, mine)).bu_id, mine);
    });
    await written;
  },
);

const CANCEL_WAITING = `
  select pg_cancel_backend(pid) from pg_locks join pg_stat_activity using (pid)
  where not granted and datname = current_database()`;

test('an abandoned wait is reported as such and leaves no connection in a transaction', options, async () => {
  const alone = database.forTenant(mine);
  const works = [
    () => writeTag('unwritten').execute(alone),
    () => alone.transaction().execute((tx) => writeTag('unwritten').execute(tx)),
  ];
  for (const work of works) {
    await whileMoved(mine, async (mover) => {
      const rejected = assert.rejects(work(), /canceling statement/);
      await waitForLock('the statement to wait', database);
      await mover.query(CANCEL_WAITING);
      await rejected;
    });
    const reads = Array.from({ length: 20 }, () => unitsOf(theirs).execute(database.forTenant(theirs)));
    for (const { rows } of await Promise.all(reads)) assert.deepEqual(rows, [{ bu_id: theirs }]);
  }
});
