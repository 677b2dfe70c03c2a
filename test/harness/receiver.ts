import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { after } from 'node:test';

/** A request to a receiver. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on arbitrary bodies.
  readonly body: any;
}

/** An HTTP receiver on a free port of the loopback address. */
export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: readonly Received[];
  /** Answers further requests; by default, 200 with `ok`. */
  answer: (request: Received, response: ServerResponse) => void;
  close(): Promise<void>;
}

/** Starts a receiver (on `port` when given); it is closed after the file's tests. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = [];
  const receiver = {
    url: '',
    port: 0,
    received,
    answer: (_request: Received, response: ServerResponse) => {
      response.end('ok');
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const server = createServer(async (request, response) => {
    const call = await read(request);
    received.push(call);
    receiver.answer(call, response);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address();
  receiver.port = typeof address === 'object' && address !== null ? address.port : 0;
  receiver.url = `http://127.0.0.1:${receiver.port}`;
  after(() => receiver.close());
  return receiver;
}

async function read(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  const isJson = request.headers['content-type']?.includes('json') === true;
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
}
