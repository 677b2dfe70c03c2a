import { createServer } from 'node:http';
import { after } from 'node:test';

/**
 * Serves a page on the host of `url`, but on another port: another origin of the same site, so that browsers send the
 * site's cookies. Returns its address; the server is closed after the file's tests.
 */
export async function startForeignPage(url: string, html: string): Promise<string> {
  const { hostname } = new URL(url);
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, hostname, resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://${hostname}:${typeof address === 'object' && address !== null ? address.port : 0}/`;
}
