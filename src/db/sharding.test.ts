import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { freshCluster, joinNodes, withRolesLock } from '../../test/harness/cluster-nodes.ts';
import { databaseKind, testServerUrl } from '../../test/harness/test-database.ts';
import { createDatabase } from './database.ts';
import { migrate } from './migrator.ts';
import { openServerPool, type SqlPool } from './pool.ts';
import { olderSchema, readSchemaFiles, type SqlFile } from './schema-files.ts';
import { isSharded, readClusterSize, shard } from './sharding.ts';

export const runsOn = ['cluster'];

const skip = databaseKind() !== 'cluster' && 'needs TEST_CLUSTER_URL';
const coordinator = testServerUrl() ?? '';
/** Number of migrations applied before sharding: the baseline. Newer ones are applied afterwards. */
const FIRST_SHARDED = 1;

/** A future migration. */
const notes: SqlFile = {
  name: '9999_notes.sql',
  checksum: 'notes',
  text: `
    create table notes (
      tenant_id uuid not null references tenants on delete cascade,
      id uuid not null,
      form_code text,
      user_id uuid references users,
      primary key (tenant_id, id)
    );
    create index notes_by_form on notes (tenant_id, form_code);
    select tessera_isolate('notes');
    -- After it is isolated: forms are spread, too.
    alter table notes add foreign key (tenant_id, form_code) references forms on delete cascade;
    create view notes_of_forms as select n.* from notes n join forms using (tenant_id);
    alter table users add column nickname text;
    alter table forms add column is_noted boolean not null default false;
    alter table forms drop column is_noted;`,
};
const countNotes: SqlFile = {
  name: 'tessera_count_notes',
  checksum: 'count notes',
  text: `create function tessera_count_notes(tenant uuid) returns int language plpgsql as $$ begin
    return (select count(*) from notes n where n.tenant_id = tenant);
  end $$`,
};

test('a sharded database accepts later migrations, and every node gets their objects', {
  skip,
}, async (t) => {
  const { urls, ownerUrls } = await freshCluster(coordinator);
  await withRolesLock(coordinator, () => joinNodes(urls));
  const [first = '', second = ''] = ownerUrls;
  const pools = [openServerPool(first), openServerPool(second)];
  t.after(() => Promise.all(pools.map((pool) => pool.close())));
  const [main, other] = pools;
  assert.ok(main && other);
  const files = await readSchemaFiles();
  await withRolesLock(coordinator, async () => {
    await migrate(main, olderSchema(files, FIRST_SHARDED));
    await shardAsOwner(main);
  });
  await assert.rejects(migrate(other), /^DatabaseError: DATABASE_URL: .* the URL of the coordinator$/);
  await migrate(main);
  const later = {
    migrations: [...files.migrations, notes],
    functions: [...files.functions, countNotes],
  };
  await migrate(main, later);
  await migrate(other, later);
  await requireNotes(main, other);
});

async function shardAsOwner({ pool }: SqlPool): Promise<void> {
  const client = await pool.connect();
  await client.query('reset role');
  assert.equal(await isSharded(client), false);
  assert.equal(await shard(client), true);
  assert.equal((await readClusterSize(client))?.nodes, 2);
  client.release();
}

/** Checks that rows written on one node are readable on another, and only by their tenant. */
async function requireNotes(main: SqlPool, other: SqlPool): Promise<void> {
  const [mine, theirs] = [uuidv7(), uuidv7()];
  for (const id of [mine, theirs])
    await main.pool.query("insert into tenants values ($1, $1::uuid::text, 'Tenant', '{}', now())", [id]);
  const [here, there] = [await createDatabase(main), await createDatabase(other)];
  const insert = (as: string, formCode: string | null) =>
    sql`insert into notes (tenant_id, id, form_code) values (${mine}, ${uuidv7()}, ${formCode})`.execute(
      here.forTenant(as),
    );
  await insert(mine, null);
  await assert.rejects(insert(theirs, null), /row-level security/);
  await assert.rejects(insert(mine, 'no-such-form'), /foreign key/);
  const read = async (as: string) => {
    const { rows: visible } = await sql<{ notes: number; of_forms: number }>`
      select count(*) as notes, (select count(*) from notes_of_forms f where f.tenant_id = ${mine}) as of_forms
      from notes n where n.tenant_id = ${mine}`.execute(there.forTenant(as));
    const { rows: counted } = await sql<{ counted: number }>`
      select tessera_count_notes(${mine}) as counted`.execute(there.forTenant(as));
    return { ...visible[0], ...counted[0] };
  };
  assert.deepEqual(await read(mine), { notes: 1, of_forms: 0, counted: 1 });
  assert.deepEqual(await read(theirs), { notes: 0, of_forms: 0, counted: 0 });
}
