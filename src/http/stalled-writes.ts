/** Disconnects clients that stop reading: unsent data would stay in memory for as long as they like. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How often connections are checked within the time that a stalled write may take. */
const CHECKS = 4;

/** The bytes that the system had accepted at a check, and the number of checks in a row without progress. */
interface Progress {
  sent: number;
  stalledChecks: number;
}

/**
 * Destroys each connection whose unsent bytes have not moved for `milliseconds`, for any kind of response. Connections
 * without unsent bytes are left alone. Call it before the server listens.
 */
export function endStalledWrites(server: Server, milliseconds: number): void {
  const open = new Map<Socket, Progress>();
  server.on('connection', (socket: Socket) => {
    open.set(socket, { sent: 0, stalledChecks: 0 });
    socket.once('close', () => open.delete(socket));
  });
  const timer = setInterval(() => {
    for (const [socket, progress] of open) {
      const sent = socket.bytesWritten - socket.writableLength;
      const isStalled = socket.writableLength > 0 && sent === progress.sent;
      progress.stalledChecks = isStalled ? progress.stalledChecks + 1 : 0;
      progress.sent = sent;
      if (progress.stalledChecks >= CHECKS) socket.destroy();
    }
  }, milliseconds / CHECKS).unref();
  server.once('close', () => clearInterval(timer));
}
