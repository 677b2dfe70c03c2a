/**
 * Ending HTTP without dropping a request. Node's own `close()` cuts idle connections at once, and with them requests
 * that are on the wire: a busy process has not read them yet and takes their connection for an idle one. So here a
 * connection counts as idle only when nothing has moved on it for a while.
 */
import type { Server } from 'node:http';
import net, { type Socket } from 'node:net';
import { setImmediate as turnOfEventLoop } from 'node:timers/promises';

/** How long nothing may have moved on a connection without a request until it is closed, milliseconds. */
const IDLE_MS = 2_000;
const SWEEP_MS = 250;
/** How long connections on their way in are still taken after an end was asked for, milliseconds. */
const LAST_ACCEPT_MS = 1_000;

interface Connection {
  requests: number;
  bytes: number;
  quietSweeps: number;
}

/** Ends the connections of one server. */
export interface Drain {
  /** Accepts nothing more and resolves when every connection has ended, at the latest after `longestMs`. */
  end(longestMs: number, onListenerClosed: () => void): Promise<void>;
}

/** Keeps account of a server's connections and of the requests under way on them. Call it before it listens. */
export function watchConnections(server: Server): Drain {
  const open = new Map<Socket, Connection>();
  let accepted = 0;
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    open.set(socket, { requests: 0, bytes: 0, quietSweeps: 0 });
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    const connection = open.get(socket);
    if (connection === undefined) return;
    connection.requests += 1;
    response.once('close', () => {
      connection.requests -= 1;
    });
  });
  const sweep = () => {
    for (const [socket, connection] of open) {
      const bytes = socket.bytesRead + socket.bytesWritten;
      const isQuiet = connection.requests === 0 && bytes === connection.bytes;
      connection.quietSweeps = isQuiet ? connection.quietSweeps + 1 : 0;
      connection.bytes = bytes;
      if (connection.quietSweeps * SWEEP_MS >= IDLE_MS) socket.destroy();
    }
  };
  // The kernel resets what is still in the listener's queue when it closes, and a turn of the event loop takes but one
  // connection out of it: so turns pass until one, from its beginning to its end, brought none.
  const takeConnectionsOnTheirWay = async () => {
    const deadline = Date.now() + LAST_ACCEPT_MS;
    await turnOfEventLoop();
    for (let before = -1; before < accepted && Date.now() < deadline; ) {
      before = accepted;
      await turnOfEventLoop();
    }
  };
  return {
    async end(longestMs, onListenerClosed) {
      if (!server.listening) return onListenerClosed();
      await takeConnectionsOnTheirWay();
      const ended = new Promise<void>((resolve) => net.Server.prototype.close.call(server, () => resolve()));
      // Only now may answers close their connections: their clients come back and are refused, not reset.
      onListenerClosed();
      const sweeps = setInterval(sweep, SWEEP_MS);
      const last = setTimeout(() => server.closeAllConnections(), longestMs);
      await ended;
      clearInterval(sweeps);
      clearTimeout(last);
    },
  };
}
