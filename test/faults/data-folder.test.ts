import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { createClient } from '../harness/client.ts';
import { runRefusedProcess, startProcess } from '../harness/process.ts';

const folder = await mkdtemp(join(tmpdir(), 'tessera-first-start-'));
test.after(() => rm(folder, { recursive: true, force: true }));

test('only the first start tells how to get in, and a second process on its folder is refused', async () => {
  const first = await startProcess({ DATA_DIR: folder });
  const [, email] = /^ {2}e-mail {4}(\S+)$/m.exec(first.output()) ?? [];
  const [, password] = /^ {2}password {2}(\S+)$/m.exec(first.output()) ?? [];
  const [, apiKey = ''] = /^ {2}API key {3}(\S+)$/m.exec(first.output()) ?? [];
  assert.equal(email, 'owner@demo.local');
  assert.ok(password !== undefined && password.length >= 16);
  assert.equal(first.output().split(apiKey).length, 2, 'the key is printed once');
  const owner = createClient(first.url, { 'x-api-key': apiKey });
  await owner.get('/api/client/v1/api-keys');

  const second = await runRefusedProcess({ DATA_DIR: folder });
  assert.equal(second.code, 1);
  assert.match(second.output, /^The data folder \S+ is in use by another Tessera process\.[^\n]*\n$/);
  await owner.get('/api/client/v1/api-keys');

  assert.deepEqual(await first.kill('SIGTERM'), { code: 0, signal: null });
  const next = await startProcess({ DATA_DIR: folder });
  assert.doesNotMatch(next.output(), /First start|password|API key|tsk_/);
  await createClient(next.url, { 'x-api-key': apiKey }).get('/api/client/v1/api-keys');
});
