import { stdout } from 'node:process';
import { findConfig } from '../config.ts';
import { DatabaseError } from '../db/database-error.ts';
import { readSchemaState } from '../db/migrator.ts';
import type { SqlPool } from '../db/pool.ts';
import { readClusterSize, shard as shardDatabase } from '../db/sharding.ts';
import type { Command } from './command.ts';
import { withDatabase } from './with-platform.ts';

/** Distributes the tenants of a database over the nodes of a cluster. */
export const shard: Command = {
  name: 'shard',
  summary: 'Distributes the tenants of the database over the nodes of its Citus cluster',
  details: [
    'DATABASE_URL must name the coordinator. Its database needs Citus 13 or newer, the nodes, and the current schema.',
    'Stop every process first. The command moves all rows in one transaction: a failure changes nothing. The only way',
    'back is a backup. On a distributed database the command changes nothing.',
  ],
  run: async () => {
    const config = findConfig();
    if (config.databaseUrl === null)
      throw new DatabaseError('it is not set, and the embedded database belongs to one process');
    await withDatabase(config, async (database) => {
      const { missing, problem } = await readSchemaState(database.pool);
      if (problem !== null) throw new Error(`The database ${problem}`);
      if (missing > 0) throw new Error(`The schema lacks ${missing} files. Run "tessera migrate" first.`);
      stdout.write(`${await spread(database)}\n`);
    });
  },
};

async function spread(database: SqlPool): Promise<string> {
  const client = await database.connect();
  try {
    await client.query('reset role');
    const isDone = await shardDatabase(client);
    const { tables = 0, nodes = 0 } = (await readClusterSize(client)) ?? {};
    return isDone
      ? `The tenants' rows in ${tables} tables are now spread over ${nodes} nodes. Start the processes again.`
      : `The tenants' rows in ${tables} tables are spread over ${nodes} nodes already.`;
  } finally {
    client.release(true);
  }
}
