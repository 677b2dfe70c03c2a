import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import test from 'node:test';
import { eventually } from '../../test/harness/poll.ts';
import { createTestDatabase, databaseKind } from '../../test/harness/test-database.ts';
import { openEmbeddedPool, openServerPool, type SqlPool } from '../db/pool.ts';
import { entityTables } from '../features/records/entities/index.ts';
import { createSecretBox } from '../secrets/secret-box.ts';
import { openBackup, restoreBackup } from './restore-backup.ts';
import { writeBackup } from './write-backup.ts';

export const runsOn = ['embedded', 'server'];
export const neverRunsOn = ['cluster'];

const MEGABYTE = 1024 * 1024;
const secrets = createSecretBox({ secretKey: randomBytes(32), secretKeyPrevious: null });

async function openPool(env: Readonly<Record<string, string>>): Promise<SqlPool> {
  const { DATABASE_URL: url, DATA_DIR: dataDir = '' } = env;
  return url ? openServerPool(url) : await openEmbeddedPool(dataDir);
}

test('large rows among many small ones are read a few at a time and completely', async (t) => {
  const { env, remove } = await createTestDatabase();
  const database = await openPool(env);
  t.after(async () => {
    await database.close();
    await remove();
  });
  await database.pool.query(`
    insert into users (user_id, email, name, password_hash, created_at)
    select gen_random_uuid(), n || '@example.com',
      case when n between 1000 and 1060 then repeat('x', ${MEGABYTE}) else 'x' end, '', now()
    from generate_series(1, 1500) n`);
  let most = 0;
  let all = '';
  for await (const lines of writeBackup(database, secrets, new Date(), entityTables)) {
    most = Math.max(most, lines.length);
    all += lines.replaceAll(/x{9,}/g, '');
  }
  assert.ok(most < 3 * MEGABYTE, `${most} characters at once`);
  const addresses = [...all.matchAll(/"(\d+)@example\.com"/g)].map(([, n]) => Number(n));
  assert.deepEqual(
    addresses,
    Array.from({ length: 1500 }, (_, index) => index + 1),
  );
});

test('a tenant created while a restore begins is not lost', {
  skip: databaseKind() === 'embedded' && 'needs TEST_DATABASE_URL',
}, async (t) => {
  const source = await createTestDatabase();
  const from = await openPool(source.env);
  const other = await createTestDatabase();
  const target = await openPool(other.env);
  t.after(async () => {
    await Promise.all([from, target].map((pool) => pool.close()));
    await Promise.all([source, other].map((database) => database.remove()));
  });
  const lines: string[] = [];
  for await (const some of writeBackup(from, secrets, new Date(), entityTables))
    lines.push(...some.split('\n'));
  const backup = lines.filter((line) => line !== '');
  const read = async function* () {
    yield* backup;
  };
  const writer = await target.pool.connect();
  await writer.query('begin');
  await writer.query("insert into tenants values (gen_random_uuid(), 'late', 'Late', '{}', now())");
  const opened = await openBackup(secrets, read());
  const restored = assert.rejects(
    restoreBackup(target, opened, entityTables),
    /already has tenants \(late\)/,
  );
  await eventually('the restore to wait', async () => {
    const { rows } = await target.pool.query<{ count: number }>(
      'select count(*) as count from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())',
    );
    return Number(rows[0]?.count) > 0;
  });
  await writer.query('commit');
  writer.release();
  await restored;
});
