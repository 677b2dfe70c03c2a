import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { after } from 'node:test';

/** A TCP proxy whose connections a test can cut. */
export interface TcpProxy {
  readonly port: number;
  /** Closes all connections and accepts no new ones until `mend`. */
  cut(): Promise<void>;
  reopen(): Promise<void>;
}

/** Starts a proxy to a port of this machine; it is stopped after the file's tests. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // The other side has closed the connection.
    socket.on('error', () => {});
  };
  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1');
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const) {
      keep(one);
      one.pipe(other);
      one.on('close', () => other.destroy());
    }
  });
  const listen = async (at: number) => {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const cut = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  after(cut);
  return { port, cut, reopen: () => listen(port) };
}
