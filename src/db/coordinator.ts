/**
 * Connections to the coordinator of a cluster, for a process that uses another node: only the coordinator can change
 * tables. Each new connection reads the coordinator's address, because a replica may have replaced it.
 */
import { openServerPool, type SqlPool } from './pool.ts';

/** Maximum number of connections: definitions of entities change rarely, and one at a time per tenant. */
const MAX_CONNECTIONS = 2;

/** Returns connections to the coordinator of the pool's cluster, with the role of the pool. */
export function coordinatorOf({ pool, url }: SqlPool): Pick<SqlPool, 'kind' | 'size' | 'connect' | 'close'> {
  if (url === null) throw new Error('An embedded database is not a node of a cluster.');
  let open: { readonly url: string; readonly pool: SqlPool } | null = null;
  return {
    kind: 'server',
    size: MAX_CONNECTIONS,
    async connect() {
      const { rows } = await pool.query<{ host: string; port: number }>(
        'select nodename as host, nodeport as port from pg_dist_node where groupid = 0',
      );
      const [address] = rows;
      if (address === undefined) throw new Error('The cluster has no coordinator that other nodes know.');
      const currentUrl = urlWithHost(url, address);
      if (open?.url !== currentUrl) {
        const previous = open;
        open = { url: currentUrl, pool: openServerPool(currentUrl, MAX_CONNECTIONS) };
        await previous?.pool.close();
      }
      return open.pool.connect();
    },
    close: async () => open?.pool.close(),
  };
}

/** Returns the URL of the same database and role on another host. */
function urlWithHost(url: string, { host, port }: { readonly host: string; readonly port: number }): string {
  const changed = new URL(url);
  changed.hostname = host;
  changed.port = String(port);
  // These parameters would override the host name and port.
  changed.searchParams.delete('host');
  changed.searchParams.delete('port');
  return changed.href;
}
