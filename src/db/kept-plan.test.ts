import assert from 'node:assert/strict';
import test from 'node:test';
import type pg from 'pg';
import { asOwner } from '../../test/harness/fresh-database.ts';
import { createTestDatabase } from '../../test/harness/test-database.ts';

export const runsOn = ['embedded', 'server'];

const { env, remove } = await createTestDatabase();
test.after(remove);

const STATEMENT = 'select count(*)::int as rows from grown where id >= $1';

/** Runs the statement with its cached plan; returns its rows, the plan's name and its creation time. */
async function run(client: pg.PoolClient, from: number) {
  const { rows } = await client.query(
    `select tessera_kept_plan($1, 'int', quote_literal($2::int), '{grown}') as command`,
    [STATEMENT, from],
  );
  const [, plan] = /^execute (\w+)/.exec(rows[0].command) ?? [];
  const counted = await client.query(rows[0].command);
  const kept = await client.query(
    'select prepare_time::text as made from pg_prepared_statements where name = $1',
    [plan],
  );
  return { rows: counted.rows[0].rows, plan, made: kept.rows[0].made };
}

/** Runs `work` on one connection with a small temporary table. */
async function withTable(work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  await asOwner(env, async (database) => {
    const client = await database.connect();
    try {
      await client.query('create temp table grown as select id from generate_series(1, 10) id');
      await work(client);
    } finally {
      client.release(true);
    }
  });
}

test('a plan is cached, and replaced when its table has grown many times larger', async () => {
  await withTable(async (client) => {
    const first = await run(client, 3);
    assert.equal(first.rows, 8);
    assert.deepEqual(await run(client, 9), { ...first, rows: 2 });
    await client.query('insert into grown select generate_series(11, 20000)');
    const grown = await run(client, 1);
    assert.equal(grown.rows, 20_000);
    assert.notEqual(grown.plan, first.plan);
    assert.deepEqual(await run(client, 20_000), { ...grown, rows: 1 });
  });
});

test('a plan of a rolled-back transaction does not affect later ones', async () => {
  await withTable(async (client) => {
    await client.query('begin');
    await run(client, 1);
    await client.query('rollback');
    assert.equal((await run(client, 6)).rows, 5);
  });
});
