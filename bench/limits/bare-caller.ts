/** Callers of the bare servers, looked up for each request as in Tessera. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type pg from 'pg';

interface Caller {
  tenant_id: string;
  digest: Buffer;
  units: readonly { buId: string }[];
}

/** Returns a function that finds the caller of a request by its API key. */
export function callerFinder(pool: pg.Pool): (request: FastifyRequest) => Promise<Caller> {
  /** Tenant ids by key prefix, cached as in Tessera. */
  const tenants: Record<string, Promise<string>> = {};
  return async (request) => {
    const key = String(request.headers['x-api-key']);
    const prefix = key.slice(0, 20);
    tenants[prefix] ??= pool
      .query('select tenant_id from api_keys where prefix = $1', [prefix])
      .then(({ rows }) => String(rows[0]?.tenant_id));
    const { rows } = await pool.query<Caller>({
      name: 'caller',
      text: 'select * from tessera_find_caller($1, $2)',
      values: [await tenants[prefix], prefix],
    });
    const [caller] = rows;
    const digest = createHash('sha256').update(key.slice(21)).digest();
    if (!caller || !timingSafeEqual(caller.digest, digest)) throw new Error('The key is not valid.');
    return caller;
  };
}
