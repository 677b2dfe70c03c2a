import { DatabaseError } from '../db/database-error.ts';
import { isSharded } from '../db/sharding.ts';
import type { SqlExecutor } from './tables.ts';

/**
 * Rejects a cluster, because several nodes cannot be read in one snapshot.
 * @throws DatabaseError if the tenants are spread over the nodes of a cluster.
 */
export async function requireOneServer(client: SqlExecutor): Promise<void> {
  if (await isSharded(client))
    throw new DatabaseError(
      'its tenants are spread over the nodes of a cluster, so back up each node instead (docs/scaling.md, "Backups")',
    );
}
