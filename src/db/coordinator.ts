/**
 * Connections to the coordinator of a cluster, for a process that is connected to another node: tables are changed only
 * through the coordinator. Each connection looks up its address, because a replica may have replaced it.
 */
import { openServerPool, type SqlPool } from './pool.ts';

/** Number of connections; definitions change rarely, and one after the other for each tenant. */
const SIZE = 2;

/** Returns connections to the coordinator of the pool's cluster, with the role of the pool. */
export function coordinatorOf({ pool, url }: SqlPool): Pick<SqlPool, 'kind' | 'size' | 'connect' | 'close'> {
  if (url === null) throw new Error('An embedded database is not a node of a cluster.');
  let open: { readonly url: string; readonly pool: SqlPool } | null = null;
  return {
    kind: 'server',
    size: SIZE,
    async connect() {
      const { rows } = await pool.query<{ host: string; port: number }>(
        'select nodename as host, nodeport as port from pg_dist_node where groupid = 0',
      );
      const [address] = rows;
      if (address === undefined) throw new Error('The cluster has no coordinator that other nodes know.');
      const currentUrl = urlWithHost(url, address);
      if (open?.url !== currentUrl) {
        const previous = open;
        open = { url: currentUrl, pool: openServerPool(currentUrl, SIZE) };
        await previous?.pool.close();
      }
      return open.pool.connect();
    },
    close: async () => open?.pool.close(),
  };
}

/** Returns the URL of the same database and role on another host. */
function urlWithHost(url: string, { host, port }: { readonly host: string; readonly port: number }): string {
  const other = new URL(url);
  other.hostname = host;
  other.port = String(port);
  // These parameters would override the host name and port.
  other.searchParams.delete('host');
  other.searchParams.delete('port');
  return other.href;
}
