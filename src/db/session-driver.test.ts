import assert from 'node:assert/strict';
import test from 'node:test';
import { type RawBuilder, sql } from 'kysely';
import { startTestApp } from '../../test/harness/test-app.ts';
import { databaseKind } from '../../test/harness/test-database.ts';
import { customPlan } from './custom-plan.ts';
import { schemaOf } from './tenant-schemas.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const { app, createTenant } = await startTestApp({ ROLE: 'api' });
const all = app.platform.database.everyTenant('tests');

/** Entities cannot be defined on a cluster. */
const onServer = { skip: databaseKind() !== 'server' && 'has one connection' };

/** Returns the texts prepared on the connection; sequential calls use the same connection. */
async function preparedTexts(): Promise<Set<string>> {
  const { rows } = await all.raw(sql<{ statement: string }>`select statement from pg_prepared_statements`);
  return new Set(rows.map(({ statement }) => statement));
}

const textOf = (n: number) => `select ${n} as number`;

async function run(n: number): Promise<void> {
  const { rows } = await all.raw(sql<{ number: number }>`${sql.raw(textOf(n))}`);
  assert.deepEqual(rows, [{ number: n }]);
}

test('a connection prepares repeated statements, and deallocates those not used for long', async () => {
  for (let n = 0; n < 1000; n += 1) {
    await run(n);
    await run(n);
  }
  const prepared = await preparedTexts();
  assert.ok(prepared.has(textOf(999)) && !prepared.has(textOf(0)));
  assert.ok(prepared.size > 300 && prepared.size <= 402, `${prepared.size} statements`);
  await run(0);
  await run(0);
  assert.ok((await preparedTexts()).has(textOf(0)));
});

test('statements that run once do not replace prepared ones', async () => {
  await run(1);
  await run(1);
  for (let n = 10_000; n < 11_000; n += 1) await run(n);
  const prepared = await preparedTexts();
  assert.ok(prepared.has(textOf(1)) && !prepared.has(textOf(10_000)));
});

test('statements with a custom plan are never prepared', async () => {
  const statement = sql<{ number: number }>`${customPlan} select 12000 as number`;
  for (let n = 0; n < 3; n += 1) assert.deepEqual((await all.raw(statement)).rows, [{ number: 12000 }]);
  assert.deepEqual(
    [...(await preparedTexts())].filter((text) => text.includes('12000')),
    [],
  );
});

test('a connection that has used many tables of tenants is replaced', onServer, async () => {
  const { api, tenantId } = await createTenant();
  await api.post('/api/entities', { name: 'item', fields: [{ name: 'title', type: 'string' }] });
  const table = sql.table(`${schemaOf(tenantId)}.item`);
  const backendOf = async (statement: RawBuilder<unknown>) => {
    const { rows } = await all.raw(sql<{ pid: number }>`
      select pg_backend_pid() as pid from (${statement}) counted`);
    return rows[0]?.pid;
  };
  const backendsOf = async (statement: (n: number) => RawBuilder<unknown>) => {
    const pids = new Set<number | undefined>();
    for (let n = 0; n < 1200; n += 1) pids.add(await backendOf(statement(n)));
    return pids.size;
  };
  const few = (n: number) => sql`select count(*) as n${sql.raw(String(n % 100))} from ${table}`;
  const many = (n: number) => sql`select count(*) as n${sql.raw(String(n))} from ${table}`;
  assert.equal(await backendsOf(few), 1);
  assert.ok((await backendsOf(many)) > 1);
});

test('a failure inside a transaction leaves statements that can be deallocated later', async () => {
  const failing = (n: number) =>
    all.transaction(async (tx) => {
      await tx.raw(sql`select ${sql.lit(n)} / (${0}::int) as never`);
    });
  for (let n = 0; n < 500; n += 1) {
    await assert.rejects(failing(n), { code: '22012' });
    await assert.rejects(failing(n), { code: '22012' });
  }
  assert.ok((await preparedTexts()).size <= 402);
  await createTenant();
});

test('statements that are evicted and run again within a transaction are deallocated once', async () => {
  for (let n = 0; n < 500; n += 1) {
    await run(20_000 + n);
    await run(30_000 + n);
  }
  await all.transaction(async (tx) => {
    const again = (n: number) => tx.raw(sql`${sql.raw(textOf(n))}`);
    for (let n = 20_000; n < 20_500; n += 1) await again(n);
    await again(20_000);
  });
  for (let n = 30_000; n < 30_500; n += 1) await run(n);
  await run(20_000);
  assert.ok((await preparedTexts()).size <= 402);
});
