import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import test from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { operationsIn } from '../../../../test/harness/openapi-operations.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { startOwnApp } from '../../../../test/harness/test-app.ts';

const { anonymous } = await startOwnApp();

test('health, metrics and the reference need no credential', async () => {
  assert.deepEqual((await anonymous.get('/healthz')).body, { status: 'ok' });
  const ready = await eventually('the process to be ready', async () => {
    const { status, body } = await anonymous.send('GET', '/readyz');
    return status === 200 && body;
  });
  assert.deepEqual(ready, { status: 'ready' });
  const metrics = await anonymous.get('/metrics');
  assert.match(metrics.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  assert.match(metrics.text, /^tessera_http_request_seconds_count\{route="operations\.health",/m);
  assert.match(metrics.text, /^tessera_work_queue_webhook_deliveries_pending 0$/m);
  assert.match(metrics.text, /^tessera_tracking_events_lost 0$/m);
  assert.equal((await anonymous.get('/openapi.json')).body.openapi, '3.1.0');
});

/** Returns the URLs of this service that a page loads or links to, without fragments. */
function addressesIn(page: string, at: string): Set<string> {
  const named = [...page.matchAll(/(?:src|href)="([^"#]+)/g)].map(([, address = '']) => address);
  const own = named.filter((address) => !/^(?:data|https?):/.test(address));
  return new Set(own.map((address) => new URL(address, anonymous.url + at).pathname));
}

test('all pages are reachable from the front page, and no link is broken', async () => {
  const seen = new Set(['/']);
  for (const path of seen) {
    const { status, text, headers } = await anonymous.send('GET', path);
    const location = headers.get('location');
    // The console leads to its sign-in page.
    if (status === 303 && location !== null) {
      seen.add(new URL(location, anonymous.url).pathname);
      continue;
    }
    // Readiness can change at any time.
    assert.ok(status === 200 || path === '/readyz', `${path} answered ${status}`);
    if (!headers.get('content-type')?.startsWith('text/html')) continue;
    for (const address of addressesIn(text, path)) seen.add(address);
  }
  for (const path of [
    '/docs',
    '/guides/tour',
    '/guides/errors',
    '/guides/specification/forms',
    '/readyz',
    '/openapi.json',
    '/console/forgot-password',
  ])
    assert.ok(seen.has(path), path);
});

test('the front page shows the version and the readiness', async () => {
  const stopping = await startOwnApp();
  // On a busy machine the database may take longer than two seconds to respond, and is then not ready.
  await eventually('the page to say so', async () =>
    /Version \d.*State: .*>ready</.test((await stopping.anonymous.get('/')).text),
  );
  stopping.app.platform.drain.start();
  assert.match((await stopping.anonymous.get('/')).text, />not ready</);
});

test('the reference lists every operation in one small page without blocking files', async () => {
  const compressed = await fetch(`${anonymous.url}/docs`, { headers: { 'accept-encoding': 'br' } });
  assert.equal(compressed.headers.get('content-encoding'), 'br');
  const { text } = await anonymous.get('/docs', 200, { headers: { 'accept-encoding': 'identity' } });
  const operations = operationsIn<object>((await anonymous.get('/openapi.json')).body.paths);
  for (const { operationId } of operations.map(Object))
    assert.ok(text.includes(`/${operationId}"`), operationId);
  const [head = ''] = text.split('</head>');
  assert.doesNotMatch(head, /rel="stylesheet"|<script/);
  assert.ok(brotliCompressSync(text).length < 16 * 1024);
});

test('the reference is sent compressed, and only when it has changed', async () => {
  const raw = await fetch(`${anonymous.url}/docs/assets/swagger-ui-bundle.js`, {
    headers: { 'accept-encoding': 'br' },
  });
  assert.equal(raw.headers.get('content-encoding'), 'br');
  const etag = raw.headers.get('etag') ?? '';
  await raw.arrayBuffer();
  for (const path of ['/docs/assets/swagger-ui-bundle.js', '/openapi.json', '/guides/errors']) {
    const first = await anonymous.get(path);
    const known = { 'if-none-match': first.headers.get('etag') ?? '' };
    assert.equal((await anonymous.get(path, 304, { headers: known })).text, '', path);
  }
  const plain = await anonymous.get('/docs/assets/swagger-ui-bundle.js', 200, {
    headers: { 'accept-encoding': 'identity' },
  });
  assert.deepEqual([plain.headers.get('content-encoding'), plain.headers.get('etag')], [null, etag]);
});

test('browsers get an icon for every page', async () => {
  const icon = await anonymous.get('/favicon.ico');
  assert.deepEqual([icon.headers.get('content-type'), icon.text.startsWith('<svg')], ['image/svg+xml', true]);
});

test('the guides link to every guide, and run only our own scripts', async () => {
  const folder = (await readdir('docs')).filter((name) => name.endsWith('.md'));
  const { text, headers } = await anonymous.get('/guides');
  for (const name of folder) assert.ok(text.includes(`href="guides/${name.slice(0, -3)}"`), name);
  const policy = headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'; script-src 'self'; .*style-src 'self'; /);
  assert.doesNotMatch(policy, /unsafe/);
  await anonymous.get(`/guides?q=${'x'.repeat(201)}`, 400);
});

test('the former URL of a guide redirects to it, with any mount path', async () => {
  for (const [path, location] of [
    ['/docs/errors', '../guides/errors'],
    ['/docs/tour', '../guides/tour'],
    ['/docs/specification/forms', '../../guides/specification/forms'],
  ] as const) {
    const answer = await fetch(`${anonymous.url}${path}`, { redirect: 'manual' });
    assert.deepEqual([answer.status, answer.headers.get('location')], [301, location]);
    await anonymous.get(new URL(location, `http://mounted${path}`).pathname);
  }
});

test('files of the guides are cached permanently, their pages are revalidated', async () => {
  const page = await anonymous.get('/guides/forms');
  assert.equal(page.headers.get('cache-control'), 'public, max-age=0');
  const [, styles = ''] = /href="\.\.(\/guides\/files\/guides-\w+\.css)"/.exec(page.text) ?? [];
  const { headers } = await anonymous.get(styles);
  assert.equal(headers.get('cache-control'), 'public, max-age=31536000');
  assert.match(headers.get('content-type') ?? '', /^text\/css/);
  const { text } = await anonymous.get('/guides/console');
  const [, image = ''] = /src="\.\.(\/guides\/files\/\w+-\w+\.webp)"/.exec(text) ?? [];
  const answer = await anonymous.get(image);
  assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000');
  assert.equal(answer.headers.get('content-type'), 'image/webp');
});

test('a guide that does not exist is not found', async () => {
  for (const path of [
    '/docs/nothing',
    '/docs/decisions',
    '/guides/nothing',
    '/guides/specification/nothing',
    '/guides/..%2F..%2Fembed.js',
    '/guides/index.html.br',
  ])
    assert.equal((await anonymous.get(path, 404)).body.code, 'NOT_FOUND');
});

test('the reference serves only its own files', async () => {
  for (const file of ['package.json', '..%2Fpackage.json', 'swagger-ui.js'])
    await anonymous.get(`/docs/assets/${file}`, 404);
});

test('a stopping process is alive but not ready', async () => {
  const stopping = await startOwnApp();
  stopping.app.platform.drain.start();
  assert.equal((await stopping.anonymous.get('/readyz', 503)).body.code, 'NOT_READY');
  await stopping.anonymous.get('/healthz');
});
