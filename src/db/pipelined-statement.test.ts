import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { startTestApp } from '../../test/harness/test-app.ts';
import { wholeTenant } from '../tenancy/scope.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';

export const runsOn = ['embedded', 'server'];

const { app, createTenant } = await startTestApp({ ROLE: 'api' });
const { tenantId } = await createTenant();
const db = app.platform.scoped(wholeTenant(tenantId));

const WATCHER = crypto.randomUUID();

/** Inserts a row with this name. */
const insert = (name: string) => (tenant: string) =>
  sql<{ key: string }>`
  insert into subscriber_watches (tenant_id, kind, key, watcher_id, is_trigger, since)
  values (${tenant}::uuid, 'activity', ${name}, ${WATCHER}::uuid, false, now()) returning key`;

const failing = (tenant: string) => sql`select ${tenant}::uuid, 1 / ${0}::int`;

async function namesIn(any: ScopedDb): Promise<string[]> {
  const { rows } = await any.raw(
    (tenant) => sql<{ key: string }>`
    select key from subscriber_watches where tenant_id = ${tenant}::uuid and watcher_id = ${WATCHER}::uuid order by key`,
  );
  return rows.map(({ key }) => key);
}

test('a pipelined statement takes effect before the next one', async () => {
  await db.transaction(async (tx) => {
    await tx.rawPipelined(insert('a1'));
    await tx.rawPipelined(insert('a2'));
    assert.deepEqual(await namesIn(tx), ['a1', 'a2']);
  });
  assert.deepEqual(await namesIn(db), ['a1', 'a2']);
});

test('a statement sent with the commit is committed, and its rows arrive before the hooks run', async () => {
  const events: string[] = [];
  await db.transaction(async (tx) => {
    await tx.rawPipelined(insert('b'), (rows) => events.push(...rows.map(({ key }) => key)));
    tx.afterCommit(() => events.push('committed'));
  });
  assert.deepEqual(events, ['b', 'committed']);
  assert.ok((await namesIn(db)).includes('b'));
});

test('a commit fails with the error of a statement sent with it, and nothing is stored', async () => {
  let hooks = 0;
  for (let n = 0; n < 3; n += 1) {
    const failed = db.transaction(async (tx) => {
      tx.afterCommit(() => {
        hooks += 1;
      });
      await tx.raw(insert('c1'));
      await tx.rawPipelined(failing);
      await tx.rawPipelined(insert('c2'));
    });
    await assert.rejects(failed, { code: '22012' });
  }
  assert.equal(hooks, 0);
  assert.deepEqual(
    (await namesIn(db)).filter((name) => name.startsWith('c')),
    [],
  );
});

test('a statement fails with the error of the one sent with it', async () => {
  const failed = db.transaction(async (tx) => {
    await tx.rawPipelined(failing);
    await namesIn(tx);
  });
  await assert.rejects(failed, { code: '22012' });
});

test('a rolled-back transaction sends no pending statement, nor does the next one of its connection', async () => {
  const givenUp = db.transaction(async (tx) => {
    await tx.rawPipelined(insert('d1'));
    throw new Error('Given up');
  });
  await assert.rejects(givenUp, /Given up/);
  await db.transaction((tx) => tx.rawPipelined(insert('d2')));
  assert.deepEqual(
    (await namesIn(db)).filter((name) => name.startsWith('d')),
    ['d2'],
  );
});

test('outside a transaction a pipelined statement runs immediately', async () => {
  const events: string[] = [];
  await db.rawPipelined(insert('e'), (rows) => events.push(...rows.map(({ key }) => key)));
  assert.deepEqual(events, ['e']);
  await assert.rejects(db.rawPipelined(failing), { code: '22012' });
});
