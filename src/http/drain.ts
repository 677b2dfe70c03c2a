/**
 * Closes the HTTP server without dropping a request. Node's own `close()` cuts idle connections at once, including
 * those whose request has been sent but not read yet. Here a connection counts as idle only after nothing has moved on
 * it for a while.
 */
import type { Server } from 'node:http';
import net, { type Socket } from 'node:net';
import { setImmediate as turnOfEventLoop } from 'node:timers/promises';

/** A connection without a request is closed after this time without traffic, in ms. */
const IDLE_MS = 2_000;
const SWEEP_MS = 250;
/** How long pending connections are still accepted after the shutdown was requested, in ms. */
const LAST_ACCEPT_MS = 1_000;

interface Connection {
  requests: number;
  bytes: number;
  quietSweeps: number;
}

/** Closes the connections of one server. */
export interface Drain {
  /** Stops accepting and resolves when every connection has ended, at the latest after `longestMs`. */
  end(longestMs: number, onListenerClosed: () => void): Promise<void>;
}

/** Tracks a server's connections and their open requests. Call it before the server listens. */
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
  // Closing the listener resets the connections in its queue, and each turn of the event loop accepts only one. So wait
  // for turns until one accepts none.
  const acceptPendingConnections = async () => {
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
      await acceptPendingConnections();
      const ended = new Promise<void>((resolve) => net.Server.prototype.close.call(server, () => resolve()));
      // Responses may close their connections only from here on: clients that reconnect are now refused, not reset.
      onListenerClosed();
      const sweeps = setInterval(sweep, SWEEP_MS);
      const last = setTimeout(() => server.closeAllConnections(), longestMs);
      await ended;
      clearInterval(sweeps);
      clearTimeout(last);
    },
  };
}
