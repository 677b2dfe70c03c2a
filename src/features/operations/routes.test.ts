import assert from 'node:assert/strict';
import test from 'node:test';
import { startOwnApp } from '../../../test/harness/test-app.ts';

const { anonymous } = await startOwnApp();

test('health, metrics and the reference need no credential', async () => {
  assert.deepEqual((await anonymous.get('/healthz')).body, { status: 'ok' });
  assert.deepEqual((await anonymous.get('/readyz')).body, { status: 'ready' });
  const metrics = await anonymous.get('/metrics');
  assert.match(metrics.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  assert.match(metrics.text, /^tessera_http_request_seconds_count\{route="operations\.health",/m);
  assert.match(metrics.text, /^tessera_ledger_webhook_deliveries_pending 0$/m);
  assert.equal((await anonymous.get('/openapi.json')).body.openapi, '3.1.0');
  const page = (await anonymous.get('/docs')).text;
  for (const [, path = ''] of page.matchAll(/(?:src|href)="([^"]+)"/g)) await anonymous.get(path);
});

test('the reference serves its own files only', async () => {
  for (const file of ['package.json', '..%2Fpackage.json', 'swagger-ui.js'])
    await anonymous.get(`/docs/assets/${file}`, 404);
});

test('a process that is about to stop is alive and not ready', async () => {
  const stopping = await startOwnApp();
  stopping.app.platform.drain.start();
  assert.equal((await stopping.anonymous.get('/readyz', 503)).body.code, 'NOT_READY');
  await stopping.anonymous.get('/healthz');
});
