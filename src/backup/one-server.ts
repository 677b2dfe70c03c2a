import { DatabaseError } from '../db/database-error.ts';
import { isSharded } from '../db/sharding.ts';
import type { SqlExecutor } from './tables.ts';

/**
 * A backup in one file is of one moment, and no read of several nodes is.
 * @throws DatabaseError when the tenants are spread over the nodes of a cluster.
 */
export async function requireOneServer(client: SqlExecutor): Promise<void> {
  if (await isSharded(client))
    throw new DatabaseError(
      'its tenants are spread over the nodes of a cluster, whose backups are those of the nodes (docs/scaling.md, "Backups")',
    );
}
