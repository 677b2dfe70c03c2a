import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after } from 'node:test';
import pg from 'pg';
import { openEmbeddedPool, openServerPool, type SqlPool } from '../../src/db/pool.ts';
import { copyEmptyDatabase, DATA_FOLDERS } from './test-database.ts';

/** Creates a temporary folder that is removed after the file's tests. */
export async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(DATA_FOLDERS, 'tessera-fresh-'));
  after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Creates an empty database, on the server at `serverUrl` or embedded. Returns its environment variables. */
export async function freshDatabase(serverUrl: string | undefined): Promise<Record<string, string>> {
  const env = { DATA_DIR: await freshFolder() };
  if (!serverUrl) {
    await copyEmptyDatabase(env.DATA_DIR);
    return env;
  }
  const name = `tessera_fresh_${randomUUID().replaceAll('-', '')}`;
  const onServer = async (statement: string) => {
    const client = new pg.Client({ connectionString: serverUrl });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await onServer(`create database ${name}`);
  after(() => onServer(`drop database if exists ${name} with (force)`));
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { ...env, DATABASE_URL: url.href };
}

/** Runs `work` as the owner of a database that no process has open. */
export async function asOwner<T>(
  { DATABASE_URL, DATA_DIR = '' }: Readonly<Record<string, string>>,
  work: (database: SqlPool) => Promise<T>,
): Promise<T> {
  const database = DATABASE_URL ? openServerPool(DATABASE_URL) : await openEmbeddedPool(DATA_DIR);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
