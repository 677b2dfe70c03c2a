/** Errors of a database that is available while rows of some tenants are not: a cluster cannot reach their node. */
import { codeOf } from '../errors/error-code.ts';

/** No connection to the node could be made. Only a cluster reports this code. */
const CONNECTION_FAILURE = '08006';
/** Code of a broken connection to the node. It is a general code, so the message decides. */
const INTERNAL_ERROR = 'XX000';
const BROKEN = new RegExp(
  `^(?:${[
    'failure on connection marked as essential',
    'server closed the connection unexpectedly',
    'SSL connection has been closed unexpectedly',
    'SSL (?:SYSCALL )?error: .*(?:EOF|eof|timed out|reset|route)',
    'could not (?:receive data from|send data to) server',
    'could not commit transaction for shard \\d+ on at least one active node',
  ].join('|')})`,
);
/**
 * The tenant's shard is being moved, and stayed locked for longer than the maximum wait (sql/lock-tenant-shards.sql).
 */
const LOCK_NOT_AVAILABLE = '55P03';
const SHARD_LOCK = /\btessera_lock_tenant_shards\(/;
/** The node shuts down or is starting. The error's context shows that it is a node, not the server itself. */
const SHUTTING_DOWN = /^57P0[123]$/;
const FROM_NODE = /^while executing command on /m;

/** Returns true if `error` means that the database is available, but not the rows of the tenant. */
export function isTenantUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  const context = 'where' in error ? String(error.where) : '';
  if (code === CONNECTION_FAILURE) return true;
  if (code === LOCK_NOT_AVAILABLE) return SHARD_LOCK.test(context);
  if (code === INTERNAL_ERROR) return BROKEN.test(error.message);
  return SHUTTING_DOWN.test(code) && FROM_NODE.test(context);
}
