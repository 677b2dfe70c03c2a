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
      'its tenants are spread over the nodes of a cluster, whose backups are those of the nodes (docs/scaling.md, "Backups")',
    );
}
