/**
 * A database per test file: a copy of a migrated template, either a folder of the embedded database or a database on
 * the server TEST_DATABASE_URL; or a sharded database on the cluster with the coordinator TEST_CLUSTER_URL.
 */
import { createHash, randomUUID } from 'node:crypto';
import { cpSync, statfsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { migrate } from '../../src/db/migrator.ts';
import { openEmbeddedPool, openServerPool } from '../../src/db/pool.ts';
import { readSchemaFiles } from '../../src/db/schema-files.ts';
import { lazy } from '../../src/lazy.ts';
import { takeClusterDatabase } from './cluster-database.ts';

const MEMORY_FOLDER = '/dev/shm';
/** Enough memory for the databases of all worker processes, in bytes. */
const MEMORY_NEEDED = 4 * 2 ** 30;
/**
 * Parent of all data folders: in memory if there is enough. ext4 does not reuse the inodes of files that were just
 * deleted but searches past them, so copying a database took 0.6 s of processor time instead of 0.03 s.
 */
export const DATA_FOLDERS = hasMemoryFolder() ? MEMORY_FOLDER : tmpdir();

/** Kind of database of the tests. A cluster counts as a server, because several processes can use its databases. */
export type DatabaseKind = 'embedded' | 'server' | 'cluster';

/** Returns the kind of database from the environment. */
export function databaseKind(): DatabaseKind {
  if (process.env.TEST_CLUSTER_URL) return 'cluster';
  return process.env.TEST_DATABASE_URL ? 'server' : 'embedded';
}

/**
 * Returns the URL of the server, or of the cluster's coordinator, on which a test may create databases; undefined on
 * the embedded database.
 */
export function testServerUrl(): string | undefined {
  return process.env.TEST_CLUSTER_URL || process.env.TEST_DATABASE_URL || undefined;
}

/** A test database, and the environment variables to connect to it. */
export interface TestDatabase {
  readonly kind: DatabaseKind;
  /** DATA_DIR, and DATABASE_URL unless the database is embedded. */
  readonly env: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** Creates the template, so that processes that start together do not each create it. */
export async function prepareTestDatabases(): Promise<void> {
  if (databaseKind() === 'embedded') await embeddedTemplate();
}

/** Creates an empty, migrated database of the kind under test. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const dataDir = join(DATA_FOLDERS, `tessera-test-${randomUUID()}`);
  await mkdir(dataDir, { recursive: true });
  const serverUrl = testServerUrl();
  if (serverUrl === undefined) return createEmbedded(dataDir);
  return databaseKind() === 'cluster'
    ? createOnCluster(serverUrl, dataDir)
    : createOnServer(serverUrl, dataDir);
}

async function createOnCluster(coordinator: string, dataDir: string): Promise<TestDatabase> {
  const { url, giveBack } = await takeClusterDatabase(coordinator);
  const remove = async () => {
    await giveBack();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { kind: 'cluster', env: { DATA_DIR: dataDir, DATABASE_URL: url }, remove };
}

async function createEmbedded(dataDir: string): Promise<TestDatabase> {
  // Synchronous, because an asynchronous copy of hundreds of small files takes seven times as long.
  cpSync(await embeddedTemplate(), dataDir, { recursive: true });
  return {
    kind: 'embedded',
    env: { DATA_DIR: dataDir },
    remove: () => rm(dataDir, { recursive: true, force: true }),
  };
}

/**
 * Copies an empty embedded database into a data folder. Creating one takes many seconds of CPU time, so that is done
 * once.
 */
export async function copyEmptyDatabase(dataDir: string): Promise<void> {
  cpSync(await emptyTemplate(), dataDir, { recursive: true });
}

/** Returns the folder of an unmigrated template database. */
function emptyTemplate(): Promise<string> {
  return template('empty', async (draft) => {
    const seed = await PGlite.create({ dataDir: join(draft, 'db'), initDbStartParams: ['--wal-segsize=1'] });
    await seed.close();
  });
}

/** Returns the folder of the migrated template database. */
async function embeddedTemplate(): Promise<string> {
  return template(`template-${await schemaHash()}`, buildEmbeddedTemplate);
}

/** Returns the folder with this name, and creates it if it is missing. */
async function template(name: string, build: (draft: string) => Promise<void>): Promise<string> {
  const path = join(DATA_FOLDERS, `tessera-${name}`);
  if (await exists(path)) return path;
  const draft = `${path}-${randomUUID()}`;
  await mkdir(draft);
  await build(draft);
  // Several test files may build it at the same time: the first to rename it wins, and the others use that one.
  await rename(draft, path).catch(() => rm(draft, { recursive: true, force: true }));
  return path;
}

async function buildEmbeddedTemplate(draft: string): Promise<void> {
  await copyEmptyDatabase(draft);
  const seed = await PGlite.create({ dataDir: join(draft, 'db') });
  // Tests need little memory, and the buffers are cleared page by page at every start.
  await seed.exec("alter system set shared_buffers = '16MB'");
  await seed.exec("alter system set min_wal_size = '2MB'");
  await seed.close();
  const pool = await openEmbeddedPool(draft);
  await migrate(pool);
  // Files that no connection needs are two thirds of all, and copying files is most of an app's startup time.
  await pool.pool.query('update pg_database set datistemplate = false');
  await pool.pool.query('drop database template0');
  await pool.pool.query('drop database template1');
  await pool.close();
}

async function createOnServer(serverUrl: string, dataDir: string): Promise<TestDatabase> {
  const template = `tessera_template_${await schemaHash()}`;
  const name = `tessera_test_${randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  try {
    await admin.query("select pg_advisory_lock(hashtext('tessera test template'))");
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [template]);
    if (rowCount === 0) await buildServerTemplate(admin, serverUrl, template);
    await admin.query(`create database ${name} template ${template}`);
  } finally {
    await admin.end();
  }
  const remove = async () => {
    const client = new pg.Client({ connectionString: serverUrl });
    await client.connect();
    await client.query(`drop database if exists ${name} with (force)`);
    await client.end();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { kind: 'server', env: { DATA_DIR: dataDir, DATABASE_URL: databaseUrl(serverUrl, name) }, remove };
}

async function buildServerTemplate(admin: pg.Client, serverUrl: string, template: string): Promise<void> {
  const draft = `${template}_draft`;
  await admin.query(`drop database if exists ${draft} with (force)`);
  await admin.query(`create database ${draft}`);
  const pool = openServerPool(databaseUrl(serverUrl, draft));
  await migrate(pool);
  await pool.close();
  await admin.query(`alter database ${draft} rename to ${template}`);
}

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Computed once per process, because no file of the schema changes during a run. */
const schemaHash = lazy(hashSchema);

/** Hash of all migrations, SQL functions and this file, so that an outdated template is never used. */
async function hashSchema(): Promise<string> {
  const hash = createHash('sha256').update(await readFile(import.meta.filename));
  const { migrations, functions } = await readSchemaFiles();
  for (const { name, checksum } of [...migrations, ...functions]) hash.update(`${name} ${checksum}\n`);
  return hash.digest('hex').slice(0, 16);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function hasMemoryFolder(): boolean {
  // A folder that the caller chose is used.
  if (process.env.TMPDIR) return false;
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize >= MEMORY_NEEDED;
  } catch {
    return false;
  }
}
