/** A proxy with HTTPS and HTTP/2 in front of a process, as an installation has one. */
import { createHash, createPublicKey } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import {
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { CERTIFICATE, CERTIFICATE_KEY } from '../../test/harness/certificate.ts';

/** Headers of a connection in HTTP/1.1, which HTTP/2 forbids (RFC 9113 section 8.2.2). */
const OF_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding'];

/** Argument with which Chromium accepts the proxy's certificate, and caches its responses. */
export const TRUST_ARGUMENT = `--ignore-certificate-errors-spki-list=${createHash('sha256')
  .update(createPublicKey(CERTIFICATE).export({ type: 'spki', format: 'der' }))
  .digest('base64')}`;

/** A running proxy. */
export interface HttpsProxy {
  /** Base URL without a trailing slash. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a proxy that passes all requests to `target`, a base URL. */
export async function startHttpsProxy(target: string): Promise<HttpsProxy> {
  const server = createSecureServer({ key: CERTIFICATE_KEY, cert: CERTIFICATE }, (received, response) =>
    forward(target, received, response),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `https://127.0.0.1:${port}`,
    async stop() {
      server.close();
    },
  };
}

function forward(target: string, received: Http2ServerRequest, response: Http2ServerResponse): void {
  const headers = Object.fromEntries(
    Object.entries(received.headers).filter(([name]) => !name.startsWith(':')),
  );
  const { method, authority } = received;
  const sent = request(
    target + received.url,
    { method, headers: { ...headers, host: authority } },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, withoutConnection(answer.headers));
      answer.pipe(response);
    },
  );
  sent.on('error', () => response.stream.destroy());
  received.pipe(sent);
}

function withoutConnection(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.includes(name)));
}
