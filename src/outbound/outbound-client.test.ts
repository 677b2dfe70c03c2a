import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import test, { type TestContext } from 'node:test';
import {
  createOutboundClient,
  type OutboundClient,
  type OutboundRequest,
  type OutboundResult,
} from './outbound-client.ts';
import { toSendFailure } from './send-failure.ts';

function newClient(t: TestContext, allowPrivate = true, timeoutMs = 10_000): OutboundClient {
  const client = createOutboundClient({ allowPrivate, version: '1.2.3', timeoutMs });
  t.after(() => client.close());
  return client;
}

async function listen(
  server: Server,
  close: () => void,
): Promise<{ url: string; port: number; close: () => void }> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(isInfo(address));
  return { url: `http://127.0.0.1:${address.port}`, port: address.port, close };
}

function isInfo(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}

async function receiver(t: TestContext, listener: RequestListener) {
  const server = createServer(listener);
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  t.after(close);
  return listen(server, close);
}

function answered(result: OutboundResult): Extract<OutboundResult, { ok: true }> {
  assert.ok(result.ok, JSON.stringify(result));
  return result;
}

function failed(result: OutboundResult): Extract<OutboundResult, { ok: false }> {
  assert.ok(!result.ok, JSON.stringify(result));
  return result;
}

test('a call sends method, headers and body with the platform as User-Agent, and returns the whole response', async (t) => {
  const { url } = await receiver(t, async (request, response) => {
    const received = [request.method, request.url, request.headers['x-key'], request.headers['user-agent']];
    response.writeHead(418, { 'Set-Cookie': ['a=1', 'b=2'], 'X-Reply': 'yes' });
    response.end(`${received.join(' ')} ${await text(request)}`);
  });
  const result = await newClient(t).send({
    url: `${url}/hook?a=b#c`,
    method: 'POST',
    headers: { 'X-Key': 'k', 'USER-AGENT': 'mine' },
    body: '{"é":1}',
  });
  const answer = answered(result);
  assert.equal(answer.status, 418);
  assert.equal(answer.body, 'POST /hook?a=b k Tessera/1.2.3 {"é":1}');
  assert.equal(answer.headers['x-reply'], 'yes');
  assert.equal(answer.headers['set-cookie'], 'a=1,b=2');
});

test('a redirect is returned, not followed', async (t) => {
  let calls = 0;
  const { url } = await receiver(t, (_request, response) => {
    calls += 1;
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  assert.equal(answered(await newClient(t).send({ url, method: 'POST', headers: {} })).status, 302);
  assert.equal(calls, 1);
});

test('an endless body is truncated at the limit and its connection closed', async (t) => {
  const gone = Promise.withResolvers<void>();
  const { url } = await receiver(t, (_request, response) => {
    const flow = (): void => {
      while (response.write('é'.repeat(1000)));
    };
    response.on('drain', flow).on('close', gone.resolve);
    flow();
  });
  const client = newClient(t);
  const answer = answered(await client.send({ url, method: 'GET', headers: {}, maxResponseBytes: 5001 }));
  assert.equal(answer.body, 'é'.repeat(2500));
  await gone.promise;
  assert.equal(answered(await client.send({ url, method: 'GET', headers: {} })).body.length, 32 * 1024);
});

test('a body of exactly the limit is complete, and binary data is harmless', async (t) => {
  const { url } = await receiver(t, (request, response) => {
    response.end(request.url === '/binary' ? Buffer.from([0x61, 0x00, 0xff, 0xe2, 0x82]) : 'abcé');
  });
  const client = newClient(t);
  const body = async (path: string, maxResponseBytes: number) =>
    answered(await client.send({ url: url + path, method: 'GET', headers: {}, maxResponseBytes })).body;
  assert.equal(await body('/', 5), 'abcé');
  assert.equal(await body('/', 4), 'abc');
  assert.equal(await body('/binary', 100), 'a\uFFFD\uFFFD\uFFFD');
});

test('one timeout covers the wait for headers and a slow body', async (t) => {
  const { url } = await receiver(t, (request, response) => {
    if (request.url === '/silent') return;
    const drip = setInterval(() => response.write('.'), 5);
    response.on('close', () => clearInterval(drip));
  });
  const client = newClient(t);
  for (const path of ['/silent', '/drip']) {
    const result = failed(
      await client.send({ url: url + path, method: 'POST', headers: {}, timeoutMs: 100 }),
    );
    assert.deepEqual([result.reason, result.error], ['timeout', 'No complete response within 0.1 seconds.']);
  }
});

test('the timeout covers connecting, including TLS', async (t) => {
  const silent = createTcpServer((socket) => t.after(() => socket.destroy()));
  const { port } = await listen(silent, () => silent.close());
  t.after(() => silent.close());
  const client = newClient(t);
  const result = await client.send({
    url: `https://127.0.0.1:${port}`,
    method: 'POST',
    headers: {},
    timeoutMs: 100,
  });
  // A separate timeout for connecting (10 s here) would have ended it instead.
  assert.deepEqual([failed(result).reason, result.durationMs < 5000], ['timeout', true]);
});

test('calls that wait for a slow path do not delay others of the same origin', async (t) => {
  const { url } = await receiver(t, (request, response) => {
    if (request.url === '/fast') response.end('now');
  });
  const client = newClient(t);
  const slow = Array.from({ length: 50 }, () =>
    client.send({ url, method: 'POST', headers: {}, timeoutMs: 1500 }),
  );
  assert.equal(answered(await client.send({ url: `${url}/fast`, method: 'POST', headers: {} })).body, 'now');
  assert.ok((await Promise.all(slow)).every((result) => !result.ok && result.reason === 'timeout'));
});

test('connections are reused for later calls', async (t) => {
  const ports = new Set<number | undefined>();
  const { url } = await receiver(t, (request, response) => {
    ports.add(request.socket.remotePort);
    response.end();
  });
  const client = newClient(t);
  for (let call = 0; call < 10; call += 1) answered(await client.send({ url, method: 'POST', headers: {} }));
  assert.ok(ports.size < 10);
});

test('a refused, a broken and an invalid connection are failures in plain words', async (t) => {
  const broken = createTcpServer((socket) => socket.destroy());
  const babbling = createTcpServer((socket) => socket.end('220 mail.example ESMTP\r\n'));
  const targets = [
    await listen(broken, () => broken.close()),
    await listen(babbling, () => babbling.close()),
  ];
  for (const target of targets) t.after(target.close);
  const closed = createTcpServer();
  const { url: refused, close } = await listen(closed, () => closed.close());
  close();
  await once(closed, 'close');
  const client = newClient(t);
  const errors: string[] = [];
  for (const url of [refused, ...targets.map((target) => target.url)]) {
    const result = failed(await client.send({ url, method: 'POST', headers: {}, body: '{}' }));
    assert.equal(result.reason, 'connection');
    errors.push(result.error);
  }
  assert.deepEqual(errors, [
    'The connection was refused.',
    'The connection was closed before a response arrived.',
    'The response is not valid HTTP.',
  ]);
});

test('with the strict rule a local address is blocked at the connection: as literal, other spelling or resolved name', async (t) => {
  let calls = 0;
  const { port } = await receiver(t, (_request, response) => {
    calls += 1;
    response.end();
  });
  const client = newClient(t, false);
  for (const host of [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'localhost',
    'LOCALHOST',
  ]) {
    for (const scheme of ['http', 'https']) {
      const url = `${scheme}://${host}:${port}/`;
      const result = failed(await client.send({ url, method: 'POST', headers: {} }));
      assert.equal(result.reason, 'blocked', url);
      assert.match(result.error, /blocked by policy.*OUTBOUND_ALLOW_PRIVATE/);
    }
    assert.match((await client.checkTarget(`http://${host}:${port}/`)) ?? '', /blocked by policy/, host);
  }
  assert.equal(calls, 0);
});

test('cloud metadata is blocked even if private addresses are allowed', async (t) => {
  const client = newClient(t);
  for (const url of [
    'http://169.254.169.254/latest',
    'http://[fd00:ec2::254]/',
    'http://[::ffff:a9fe:a9fe]/',
  ]) {
    const result = failed(await client.send({ url, method: 'GET', headers: {} }));
    assert.equal(result.reason, 'blocked');
    assert.match((await client.checkTarget(url)) ?? '', /metadata/);
  }
});

test('an impossible request is invalid, not an exception', async (t) => {
  const { url } = await receiver(t, (_request, response) => response.end());
  const client = newClient(t);
  const requests: OutboundRequest[] = [
    { url: 'no url', method: 'GET', headers: {} },
    { url: 'ftp://example.com', method: 'GET', headers: {} },
    { url: 'http://u:p@example.com', method: 'GET', headers: {} },
    { url, method: 'GET', headers: { 'a b': 'c' } },
    { url, method: 'GET', headers: { a: 'b\r\nc: d' } },
    { url, method: 'G T', headers: {} },
  ];
  for (const request of requests) assert.equal(failed(await client.send(request)).reason, 'invalid');
});

test('a target is accepted if it may be called, or does not exist yet', async (t) => {
  const client = newClient(t);
  for (const url of [
    'http://localhost:1/x',
    'https://10.0.0.1',
    'https://nowhere.invalid/hook',
    'http://[::1]/',
  ]) {
    assert.equal(await client.checkTarget(url), null, url);
  }
  assert.equal(await newClient(t, false).checkTarget('https://1.1.1.1/hook'), null);
});

test('a target other than a plain http or https URL is rejected with the reason', async (t) => {
  const client = newClient(t);
  assert.equal(await client.checkTarget(''), 'is not a valid URL');
  assert.equal(await client.checkTarget('http://256.1.1.1'), 'is not a valid URL');
  assert.equal(await client.checkTarget('file:///etc/passwd'), 'must start with http:// or https://');
  assert.equal(await client.checkTarget('https://a@b.example'), 'must not contain a user name or password');
});

test('a closed client returns a failure', async () => {
  const client = createOutboundClient({ allowPrivate: true, version: '1', timeoutMs: 1000 });
  await client.close();
  const result = failed(await client.send({ url: 'http://127.0.0.1:1', method: 'GET', headers: {} }));
  assert.equal(result.error, 'The service is shutting down.');
});

test('closing waits for a running call, and may be requested twice', async (t) => {
  const arrived = Promise.withResolvers<() => void>();
  const { url } = await receiver(t, (_request, response) => arrived.resolve(() => response.end('done')));
  const client = newClient(t);
  const call = client.send({ url, method: 'POST', headers: {} });
  const finish = await arrived.promise;
  const closing = Promise.all([client.close(), client.close()]);
  finish();
  assert.equal(answered(await call).body, 'done');
  await closing;
});

test('TLS failures name the code, and an unknown failure reveals none of its own text', () => {
  const withCode = (code: string) =>
    toSendFailure(Object.assign(new Error('10.1.2.3 secret'), { code }), 1000).error;
  assert.equal(withCode('CERT_HAS_EXPIRED'), 'The TLS certificate is not valid (CERT_HAS_EXPIRED).');
  assert.equal(
    withCode('ERR_SSL_WRONG_VERSION_NUMBER'),
    'The TLS connection could not be made (ERR_SSL_WRONG_VERSION_NUMBER).',
  );
  assert.equal(withCode('EODD'), 'The connection failed (EODD).');
  assert.equal(toSendFailure('thrown text', 1000).error, 'The connection failed.');
});

test('a file is fetched byte for byte, up to a limit', async (t) => {
  const bytes = Buffer.from([0, 255, 254, 13, 10, 128, 200, 7]);
  const { url } = await receiver(t, (request, response) =>
    response.end(request.method === 'GET' ? bytes : ''),
  );
  const client = newClient(t);
  const complete = await client.download({ url, maxBytes: bytes.length });
  assert.ok(complete.ok);
  assert.deepEqual([complete.status, complete.bytes, complete.isCut], [200, bytes, false]);
  const part = await client.download({ url, maxBytes: 3 });
  assert.ok(part.ok);
  assert.deepEqual([part.bytes, part.isCut], [bytes.subarray(0, 3), true]);
});

test('a file at a blocked address is not fetched', async (t) => {
  const result = await newClient(t, false).download({ url: 'http://127.0.0.1:9/x', maxBytes: 10 });
  assert.ok(!result.ok);
  assert.equal(result.reason, 'blocked');
});

test('closing waits for a call, but not for one without a response', async (t) => {
  const silent = createTcpServer((socket) => t.after(() => socket.destroy()));
  const { port } = await listen(silent, () => silent.close());
  t.after(() => silent.close());
  const client = createOutboundClient({ allowPrivate: true, version: '1.2.3', timeoutMs: 600_000 });
  const call = client.send({ url: `http://127.0.0.1:${port}/`, method: 'GET', headers: {} });
  await client.close();
  assert.equal((await call).ok, false);
});
