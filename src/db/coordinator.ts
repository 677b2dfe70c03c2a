/**
 * The way to the coordinator of a cluster for a process that is connected to another node: tables are made and changed through
 * the coordinator alone. It is asked for with each connection, as a replica may have taken its place.
 */
import { openServerPool, type SqlPool } from './pool.ts';

/** Definitions change seldom, and one after the other for each tenant. */
const SIZE = 2;

/** Connections to the coordinator of the cluster of which a pool reaches another node, as the role of that pool. */
export function coordinatorOf({ pool, url }: SqlPool): Pick<SqlPool, 'kind' | 'size' | 'connect' | 'close'> {
  if (url === null) throw new Error('An embedded database is no node of a cluster.');
  let open: { readonly url: string; readonly pool: SqlPool } | null = null;
  return {
    kind: 'server',
    size: SIZE,
    async connect() {
      const { rows } = await pool.query<{ host: string; port: number }>(
        'select nodename as host, nodeport as port from pg_dist_node where groupid = 0',
      );
      const [place] = rows;
      if (place === undefined) throw new Error('The cluster has no coordinator that other nodes know.');
      const wanted = urlAt(url, place);
      if (open?.url !== wanted) {
        const former = open;
        open = { url: wanted, pool: openServerPool(wanted, SIZE) };
        await former?.pool.close();
      }
      return open.pool.connect();
    },
    close: async () => open?.pool.close(),
  };
}

/** The same database and role at another place. */
function urlAt(url: string, { host, port }: { readonly host: string; readonly port: number }): string {
  const other = new URL(url);
  other.hostname = host;
  other.port = String(port);
  // They would be taken instead.
  other.searchParams.delete('host');
  other.searchParams.delete('port');
  return other.href;
}
