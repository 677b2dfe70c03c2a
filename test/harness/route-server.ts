import { after } from 'node:test';
import { promisify } from 'node:util';
import { type Drain, watchConnections } from '../../src/http/drain.ts';
import type { Route } from '../../src/http/route.ts';
import { buildServer, type ServerOptions } from '../../src/http/server.ts';
import type { Platform } from '../../src/platform.ts';
import { closeConnections } from './client.ts';

/** A server with the routes of a test. */
export interface RouteServer {
  readonly url: string;
  readonly drain: Drain;
  /** Returns the number of open connections. */
  countConnections(): Promise<number>;
}

/** Serves routes with a platform, like the process does. */
export async function serveRoutes(
  platform: Platform,
  routes: readonly Route[],
  options?: ServerOptions,
): Promise<RouteServer> {
  const server = buildServer(platform, routes, options);
  const drain = watchConnections(server.server);
  after(async () => {
    await closeConnections();
    server.server.closeAllConnections();
    await server.close();
  });
  const countConnections = promisify(server.server.getConnections.bind(server.server));
  return { url: await server.listen({ port: 0, host: '127.0.0.1' }), drain, countConnections };
}
