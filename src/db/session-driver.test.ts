import assert from 'node:assert/strict';
import test from 'node:test';
import { type RawBuilder, sql } from 'kysely';
import { startTestApp } from '../../test/harness/test-app.ts';
import { databaseKind } from '../../test/harness/test-database.ts';
import { wholeTenant } from '../tenancy/scope.ts';
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

/** Maximum number of prepared statements of a connection, with those of the driver itself. */
const MAX_PREPARED = 502;

const textOf = (n: number) => `select ${n} as number`;

async function run(n: number): Promise<void> {
  const { rows } = await all.raw(sql<{ number: number }>`${sql.raw(textOf(n))}`);
  assert.deepEqual(rows, [{ number: n }]);
}

test('a connection prepares repeated statements, and is replaced when it has many', async () => {
  for (let n = 0; n < 1000; n += 1) {
    await run(n);
    await run(n);
  }
  const prepared = await preparedTexts();
  assert.ok(prepared.has(textOf(999)) && !prepared.has(textOf(0)));
  assert.ok(prepared.size <= MAX_PREPARED, `${prepared.size} statements`);
  await run(0);
  await run(0);
  assert.ok((await preparedTexts()).has(textOf(0)));
});

test('statements that run once do not replace a connection', async () => {
  await run(1);
  await run(1);
  for (let n = 10_000; n < 11_000; n += 1) await run(n);
  const prepared = await preparedTexts();
  assert.ok(prepared.has(textOf(1)) && !prepared.has(textOf(10_000)));
});

test('statements with a custom plan are never prepared', async () => {
  const { tenantId } = await createTenant();
  const db = app.platform.scoped(wholeTenant(tenantId));
  const statement = (tenant: string) => sql`select 12000 as number, ${tenant} as tenant`;
  const preparedOnes = async () => [...(await preparedTexts())].filter((text) => text.includes('12000'));
  for (let n = 0; n < 3; n += 1) await db.raw(statement, { plan: 'custom' });
  assert.deepEqual(await preparedOnes(), []);
  for (let n = 0; n < 3; n += 1) await db.raw(statement);
  assert.equal((await preparedOnes()).length, 1);
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

test('statements of failed transactions count as prepared', async () => {
  const failing = (n: number) =>
    all.transaction(async (tx) => {
      await tx.raw(sql`select ${sql.lit(n)} / (${0}::int) as never`);
    });
  for (let n = 0; n < 1000; n += 1) {
    await assert.rejects(failing(n), { code: '22012' });
    await assert.rejects(failing(n), { code: '22012' });
  }
  assert.ok((await preparedTexts()).size <= MAX_PREPARED);
  await createTenant();
});
