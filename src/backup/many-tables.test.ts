/** Backups of more tenant tables than a server has room for locks. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import test from 'node:test';
import { freshDatabase } from '../../test/harness/fresh-database.ts';
import { startOwnApp } from '../../test/harness/test-app.ts';
import { databaseKind, testServerUrl } from '../../test/harness/test-database.ts';
import { openEmbeddedPool, openServerPool, type SqlPool } from '../db/pool.ts';
import { schemaOf } from '../db/tenant-schemas.ts';
import { entityTables } from '../features/records/entities/index.ts';
import { createSecretBox } from '../secrets/secret-box.ts';
import { openBackup, restoreBackup } from './restore-backup.ts';
import { writeBackup } from './write-backup.ts';

export const runsOn = ['embedded', 'server'];
export const neverRunsOn = ['cluster'];

const onServer = { skip: databaseKind() === 'embedded' && 'has one connection' };
const secretKey = randomBytes(32);
const secrets = createSecretBox({ secretKey, secretKeyPrevious: null });

/** Returns the locks on tables of tenants and their indexes, of all sessions. */
const LOCKS = `select count(*)::int as count from pg_locks l join pg_class c on c.oid = l.relation
  join pg_namespace n on n.oid = c.relnamespace
  where l.database = (select oid from pg_database where datname = current_database()) and ${entityTables.isInSchema}`;
const SCHEMAS = `select n.nspname as name from pg_namespace n where ${entityTables.isInSchema} order by 1`;

async function openPool(env: Readonly<Record<string, string>>): Promise<SqlPool> {
  const { DATABASE_URL: url, DATA_DIR: dataDir = '' } = env;
  return url ? openServerPool(url) : await openEmbeddedPool(dataDir);
}

async function countLocks({ pool }: SqlPool): Promise<number> {
  return (await pool.query(LOCKS)).rows[0]?.count;
}

async function schemasOf({ pool }: SqlPool): Promise<string[]> {
  return (await pool.query(SCHEMAS)).rows.map(({ name }) => name);
}

const app = await startOwnApp({ SECRET_KEY: secretKey.toString('base64') });
const tenants = [await app.createTenant(), await app.createTenant()];
for (const { api } of tenants) {
  await api.post('/api/entities', {
    name: 'parent',
    fields: [{ name: 'code', type: 'string', unique: true }],
  });
  const relation = { entity: 'parent', kind: 'belongs_to' };
  await api.post('/api/entities', { name: 'child', fields: [{ name: 'of', type: 'relation', relation }] });
}
await app.app.stop();
const source = await openPool(app.env);
const schemas = tenants.map(({ tenantId }) => schemaOf(tenantId)).sort();

/** Generates the lines of a backup; `look` is called after each read. */
async function read(look: () => Promise<void> = async () => {}): Promise<string[]> {
  let text = '';
  for await (const lines of writeBackup(source, secrets, new Date(), entityTables)) {
    text += lines;
    await look();
  }
  return text.split('\n').filter((line) => line !== '');
}

/** Restores these lines into an existing database, and calls `beforeLast` before the last one. */
async function restore(
  target: SqlPool,
  lines: readonly string[],
  beforeLast: () => Promise<void> = async () => {},
): Promise<number> {
  const feed = async function* () {
    for (const [index, line] of lines.entries()) {
      if (index === lines.length - 1) await beforeLast();
      yield line;
    }
  };
  return restoreBackup(target, await openBackup(secrets, feed()), entityTables);
}

async function openTarget(t: { after(release: () => Promise<void>): void }): Promise<SqlPool> {
  const target = await openPool(await freshDatabase(testServerUrl()));
  t.after(target.close);
  return target;
}

test.after(() => source.close());

test('a backup locks only one table of a tenant at a time', onServer, async () => {
  let most = 0;
  const lines = await read(async () => {
    most = Math.max(most, await countLocks(source));
  });
  // Two entities and two totals tables per tenant.
  assert.equal(lines.filter((line) => /^\{"table":"entities_/.test(line)).length, 4 * tenants.length);
  // Locks of one table with its indexes, not of all.
  assert.ok(most <= 3, `${most} locks`);
});

test("a restore holds no locks on the tenants' tables that it created", onServer, async (t) => {
  const target = await openTarget(t);
  let locks = -1;
  const rows = await restore(target, await read(), async () => {
    locks = await countLocks(target);
  });
  assert.ok(rows > 0);
  assert.equal(locks, 0);
  assert.deepEqual(await schemasOf(target), schemas);
});

test('a failed restore leaves no tables of tenants', async (t) => {
  const target = await openTarget(t);
  const lines = await read();
  await assert.rejects(restore(target, lines.slice(0, -1)), /truncated/);
  assert.deepEqual(await schemasOf(target), []);
  await restore(target, lines);
  assert.deepEqual(await schemasOf(target), schemas);
});

test('a restore drops what a killed restore has left', async (t) => {
  const target = await openTarget(t);
  const lines = await read();
  await assert.rejects(restore(target, lines.slice(0, -1)), /truncated/);
  const [schema] = schemas;
  await target.pool.query(`create schema ${schema}; create table ${schema}.parent (left_over int);
    create schema entities_${'0'.repeat(32)}`);
  await restore(target, lines);
  assert.deepEqual(await schemasOf(target), schemas);
});
