import assert from 'node:assert/strict';
import test from 'node:test';
import { type QueryResult, type RawBuilder, sql } from 'kysely';
import { startTestApp } from '../../test/harness/test-app.ts';
import { wholeTenant } from '../tenancy/scope.ts';

export const runsOn = ['embedded', 'server'];

const app = await startTestApp();
const { platform } = app.app;
const { tenantId } = await app.createTenant();
const scoped = platform.scoped(wholeTenant(tenantId));
const all = platform.database.everyTenant('tests');

/** Raises the deadlock error of PostgreSQL without a second transaction. */
const raise = (code: string) =>
  sql`do ${sql.lit(`begin raise exception 'undone' using errcode = '${code}'; end`)}`;

interface Transaction {
  readonly raw: (write: (tenant: string) => RawBuilder<unknown>) => Promise<QueryResult<unknown>>;
  readonly afterCommit: (hook: () => void) => void;
}
const WAYS: Readonly<Record<string, (work: (tx: Transaction) => Promise<string>) => Promise<string>>> = {
  'of a tenant': (work) =>
    scoped.transaction((tx) =>
      work({
        raw: (write) => write(tenantId).execute(tx.query.withoutPlugins()),
        afterCommit: (hook) => tx.afterCommit(hook),
      }),
    ),
  'over all tenants': (work) =>
    all.transaction((tx) => work({ raw: (write) => tx.raw(write(tenantId)), afterCommit: (hook) => hook() })),
};

for (const [name, transact] of Object.entries(WAYS)) {
  test(`a transaction ${name} that is rolled back by a deadlock runs again and takes effect once`, async () => {
    let tries = 0;
    let committed = 0;
    const tag = `deadlock ${name}`;
    const result = await transact(async (tx) => {
      tries += 1;
      await tx.raw((tenant) => sql`insert into email_tags (tenant_id, tag) values (${tenant}, ${tag})`);
      if (tries < 3) await tx.raw(() => raise('40P01'));
      tx.afterCommit(() => {
        committed += 1;
      });
      return 'done';
    });
    assert.deepEqual([result, tries, committed], ['done', 3, 1]);
    const stored = await all.query.selectFrom('email_tags').select('tag').where('tag', '=', tag).execute();
    assert.equal(stored.length, 1);
  });

  test(`a transaction ${name} with another error, or repeated deadlocks, fails`, async () => {
    let tries = 0;
    for (const [code, most] of [
      ['40P01', 5],
      ['22012', 1],
    ] as const) {
      tries = 0;
      const failing = transact(async (tx) => {
        tries += 1;
        await tx.raw(() => raise(code));
        return 'never';
      });
      await assert.rejects(failing, { code });
      assert.equal(tries, most);
    }
  });
}
