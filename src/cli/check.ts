import { stdout } from 'node:process';
import { type FoundConfig, findConfig } from '../config.ts';
import { findRoleProblem } from '../db/app-role.ts';
import { createDatabase, type Database } from '../db/database.ts';
import { readSchemaState } from '../db/migrator.ts';
import { hasDatabase } from '../db/open-database.ts';
import type { SqlPool } from '../db/pool.ts';
import { readClusterSize } from '../db/sharding.ts';
import { probeDatabase } from '../features/operations/api.ts';
import { sealedColumns } from '../open-platform.ts';
import { countSealed } from '../secrets/sealed-columns.ts';
import { createSecretBox, type SecretBox } from '../secrets/secret-box.ts';
import { listKeys, requireKeys } from '../secrets/secret-keys.ts';
import type { Command } from './command.ts';
import { requireKey, withDatabase } from './with-platform.ts';

/** Checks whether the service would start, without changing anything. */
export const check: Command = {
  name: 'check',
  summary: 'Checks that configuration, database and SECRET_KEY match, without changing anything',
  details: ['During a key rotation it also reports how much is left to re-encrypt.'],
  run: async () => {
    const config = findConfig();
    const kind = config.databaseUrl === null ? 'embedded' : 'server';
    print(`The configuration is valid; the database is ${kind}.`);
    if (!hasDatabase(config))
      return print(`The folder ${config.dataDir} has no database yet: the first start creates it.`);
    await withDatabase(config, (database) => checkDatabase(database, config));
  },
};

async function checkDatabase(sqlPool: SqlPool, config: FoundConfig): Promise<void> {
  const roleFault = await findRoleProblem(sqlPool.pool);
  if (roleFault !== null) throw new Error(roleFault);
  const { applied, missing, problem } = await readSchemaState(sqlPool.pool);
  if (problem !== null) throw new Error(`The database ${problem}`);
  if (applied.length === 0) return print('It is empty: the first start creates the schema.');
  if (missing > 0)
    throw new Error(`The schema lacks ${missing} files. Run "tessera migrate", or start the service.`);
  print('The schema is up to date.');
  const spread = await readClusterSize(sqlPool.pool);
  if (spread !== null) print(`Its tenants are spread over ${spread.nodes} nodes of a cluster.`);
  const database = await createDatabase(sqlPool);
  if (!(await probeDatabase(database)))
    throw new Error('The role tessera_app lacks privileges. Run "tessera migrate", or start the service.');
  print('The role tessera_app has its privileges.');
  await checkKeys(database, createSecretBox(requireKey(config, 'database')));
}

async function checkKeys(database: Database, secrets: SecretBox): Promise<void> {
  const all = database.everyTenant('sealed-columns');
  const known = await listKeys(all);
  requireKeys(secrets, known, 'database');
  print('SECRET_KEY matches the database.');
  const isNoted = known.some(({ key_id }) => key_id !== secrets.keyId);
  // Also keys that the database has forgotten: a process that was the only one with the key may still use it.
  const others = secrets.keyIds.filter((keyId) => keyId !== secrets.keyId);
  if (others.length === 0) return;
  let rows = 0;
  for (const keyId of others) rows += await countSealed(all, sealedColumns, keyId);
  if (rows === 0 && !isNoted) return print('All secrets are re-encrypted: remove SECRET_KEY_PREVIOUS.');
  throw new Error(
    `${rows} rows are still encrypted with SECRET_KEY_PREVIOUS: keep it. A running process re-encrypts them within five minutes.`,
  );
}

function print(line: string): void {
  stdout.write(`${line}\n`);
}
