import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { sql } from 'kysely';
import { insertTenants } from '../../test/harness/tenant-rows.ts';
import { startTestApp } from '../../test/harness/test-app.ts';
import { databaseKind } from '../../test/harness/test-database.ts';

const options = { skip: databaseKind() === 'cluster' ? false : 'tenants are spread on a cluster alone' };

const { app } = await startTestApp();
const { database } = app.platform;
const [mine, theirs] = [randomUUID(), randomUUID()];
await insertTenants(database, [mine, theirs]);

const unitsOf = (tenantId: string) => sql<{ bu_id: string }>`
  select bu_id from business_units where tenant_id = ${tenantId}`;

test('rows of another tenant are hidden where they are, whatever a statement says', options, async () => {
  const own = await unitsOf(mine).execute(database.forTenant(mine));
  const foreign = await unitsOf(theirs).execute(database.forTenant(mine));
  assert.deepEqual([own.rows, foreign.rows], [[{ bu_id: mine }], []]);
});

test('rows of another tenant cannot be written where they are', options, async () => {
  const renamed = sql`update business_units set name = 'Mine' where tenant_id = ${theirs}`;
  const { numAffectedRows } = await renamed.execute(database.forTenant(mine));
  assert.equal(numAffectedRows, 0n);
  const inserted = sql`
    insert into email_tags (tenant_id, tag) values (${theirs}, 'theirs')`.execute(database.forTenant(mine));
  await assert.rejects(inserted, /row-level security/);
});

test(
  'each statement is under the tenant of its own, also on a connection that others have used',
  options,
  async () => {
    const reads = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? mine : theirs));
    const found = await Promise.all(
      reads.map((tenantId) => unitsOf(tenantId).execute(database.forTenant(tenantId))),
    );
    assert.deepEqual(
      found.map(({ rows }) => rows),
      reads.map((bu_id) => [{ bu_id }]),
    );
  },
);

test(
  'all statements of a transaction are under its tenant, and what it wrote is gone when it fails',
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
  'a statement of one tenant that would ask several nodes is told apart from work across tenants',
  options,
  async () => {
    const count = sql<{ count: number }>`select count(*) from business_units where is_default`;
    await assert.rejects(count.execute(database.forTenant(mine)), /multi-task query/);
    const { rows } = await database.everyTenant('tests').raw(count);
    assert.ok((rows[0]?.count ?? 0) >= 2);
  },
);
