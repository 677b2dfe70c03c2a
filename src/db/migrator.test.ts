import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { createTestDatabase } from '../../test/harness/test-database.ts';
import { migrate, readSchemaState } from './migrator.ts';
import { openEmbeddedPool, openServerPool, type SqlPool } from './pool.ts';

export const runsOn = ['embedded', 'server'];

/** Creates a migrated database for one test. */
async function openDatabase(t: TestContext): Promise<SqlPool> {
  const { env, remove } = await createTestDatabase();
  const url = env.DATABASE_URL;
  const database = url ? openServerPool(url) : await openEmbeddedPool(env.DATA_DIR ?? '');
  t.after(async () => {
    await database.close();
    await remove();
  });
  return database;
}

async function countOf({ pool }: SqlPool, condition: string): Promise<number> {
  const { rows } = await pool.query(`select count(*) as count from ${condition}`);
  return rows[0]?.count;
}

test('an applied migration cannot be changed', async (t) => {
  const database = await openDatabase(t);
  await database.pool.query("update schema_migrations set checksum = 'of another text' where number = 1");
  await assert.rejects(
    migrate(database),
    /^Error: Migration 0001_baseline\.sql was changed after it was applied\./,
  );
});

test('a database newer than the program is refused', async (t) => {
  const database = await openDatabase(t);
  await database.pool.query(
    "insert into schema_migrations (number, name, checksum) values (9999, '9999_later.sql', 'later')",
  );
  await assert.rejects(
    migrate(database),
    /^Error: The database is at migration 9999_later\.sql, newer than this program/,
  );
  assert.match((await readSchemaState(database.pool)).problem ?? '', /newer than this program/);
});

test('a database of a development version from before the first release is refused', async (t) => {
  const database = await openDatabase(t);
  await database.pool.query("update schema_migrations set name = '0001_platform.sql' where number = 1");
  const refusal =
    /created by a development version .* \(migration 0001_platform\.sql\).* Start with an empty database/;
  assert.match((await readSchemaState(database.pool)).problem ?? '', refusal);
  await assert.rejects(migrate(database), refusal);
});

test('an SQL function follows its file: replaced when the text changes, dropped when the file is removed', async (t) => {
  const database = await openDatabase(t);
  await database.pool.query(`
    drop function tessera_claim_due;
    create function tessera_claim_due(other int) returns int language sql as 'select 1';
    update schema_functions set checksum = 'of that text' where name = 'tessera_claim_due';
    create function tessera_gone() returns int language sql as 'select 1';
    insert into schema_functions (name, checksum) values ('tessera_gone', 'of that text')`);
  await migrate(database);
  assert.equal(await countOf(database, "pg_proc where proname = 'tessera_gone'"), 0);
  const { rows } = await database.pool.query(
    "select pronargs as arguments, proconfig as settings from pg_proc where proname = 'tessera_claim_due'",
  );
  assert.deepEqual([rows.length, rows[0]?.arguments], [1, 12]);
  assert.ok(rows[0]?.settings.includes('enable_seqscan=off'));
  assert.equal(await countOf(database, "schema_functions where checksum = 'of that text'"), 0);
});
