import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { startTestApp } from '../../test/harness/test-app.ts';

const { app, createTenant } = await startTestApp({ ROLE: 'api' });
const all = app.platform.database.everyTenant('tests');

/** The texts that the connection has prepared; one call after the other gets the same connection. */
async function preparedTexts(): Promise<Set<string>> {
  const { rows } = await all.raw(sql<{ statement: string }>`select statement from pg_prepared_statements`);
  return new Set(rows.map(({ statement }) => statement));
}

const textOf = (n: number) => `select ${n} as number`;

async function run(n: number): Promise<void> {
  const { rows } = await all.raw(sql<{ number: number }>`${sql.raw(textOf(n))}`);
  assert.deepEqual(rows, [{ number: n }]);
}

test('a connection prepares what comes again, and frees what has not come for long', async () => {
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

test('statements that come once push out none', async () => {
  await run(1);
  await run(1);
  for (let n = 10_000; n < 11_000; n += 1) await run(n);
  const prepared = await preparedTexts();
  assert.ok(prepared.has(textOf(1)) && !prepared.has(textOf(10_000)));
});

test('what fails inside a transaction leaves statements that can be freed later', async () => {
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
