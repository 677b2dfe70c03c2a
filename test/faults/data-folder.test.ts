import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { createClient } from '../harness/client.ts';
import { eventually } from '../harness/poll.ts';
import { runRefusedProcess, startProcess, type TestProcess } from '../harness/process.ts';

export const runsOn = ['embedded'];
export const neverRunsOn = ['cluster'];

const folder = await mkdtemp(join(tmpdir(), 'tessera-first-start-'));
test.after(() => rm(folder, { recursive: true, force: true }));

const printsUrl = ({ output }: TestProcess) =>
  eventually('the URL to be printed', () => /^Tessera \S+ runs at http:\S+$/m.exec(output()));

test('every start prints the URL, only the first prints credentials, and a second process on the folder is refused', async () => {
  const first = await startProcess({ DATA_DIR: folder });
  await printsUrl(first);
  const [, email] = /^ {2}email {5}(\S+)$/m.exec(first.output()) ?? [];
  const [, apiKey = ''] = /^ {2}API key {3}(\S+)$/m.exec(first.output()) ?? [];
  const [, password = ''] = /^ {2}password {2}(\S+)$/m.exec(first.output()) ?? [];
  assert.equal(email, 'owner@demo.local');
  await createClient(first.url).post('/auth/login', { email, password });
  assert.equal(first.output().split(apiKey).length, 2, 'the key is printed once');
  const owner = createClient(first.url, { 'x-api-key': apiKey });
  await owner.get('/api/client/v1/api-keys');
  assert.equal((await owner.get('/api/tenant/info')).body.code, 'demo');

  const second = await runRefusedProcess({ DATA_DIR: folder });
  assert.equal(second.code, 1);
  assert.match(second.output, /^The data folder \S+ is in use by another Tessera process\.[^\n]*\n$/);
  await owner.get('/api/client/v1/api-keys');

  assert.deepEqual(await first.kill('SIGTERM'), { code: 0, signal: null });
  const next = await startProcess({ DATA_DIR: folder });
  await printsUrl(next);
  assert.doesNotMatch(next.output(), /First start|password|API key|tsk_/);
  await createClient(next.url, { 'x-api-key': apiKey }).get('/api/client/v1/api-keys');
});
