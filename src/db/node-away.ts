/** What a cluster says of a node that it cannot reach: the database is there, and the rows of some tenants are not. */
import { codeOf } from '../errors/error-code.ts';

/** No connection to the node could be made. Of itself a server cannot say so. */
const CONNECTION_FAILURE = '08006';
/** An open connection to the node broke, which has no code of its own: the message says it, in the words of the transport. */
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
/** Its shard is held by whoever moves it, for longer than is waited (sql/hold-home.sql). */
const LOCK_NOT_AVAILABLE = '55P03';
const HELD = /\btessera_hold_home\(/;
/** The node shuts down, or has not come up yet, if it is a node that says so and not the server itself. */
const SHUTTING_DOWN = /^57P0[123]$/;
const OF_NODE = /^while executing command on /m;

/** Whether `error` says that the database is there, and the rows that were asked for cannot be had of their node for now. */
export function isNodeAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  const where = 'where' in error ? String(error.where) : '';
  if (code === CONNECTION_FAILURE) return true;
  if (code === LOCK_NOT_AVAILABLE) return HELD.test(where);
  if (code === INTERNAL_ERROR) return BROKEN.test(error.message);
  return SHUTTING_DOWN.test(code) && OF_NODE.test(where);
}
