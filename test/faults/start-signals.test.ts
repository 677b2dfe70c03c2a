import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { freshFolder } from '../harness/fresh-database.ts';
import { eventually } from '../harness/poll.ts';
import { launchProcess, startProcess } from '../harness/process.ts';

export const runsOn = ['embedded'];
export const neverRunsOn = ['server', 'cluster'];

test('a SIGTERM right after the credentials of a first start exits with 0', async () => {
  const started = await startProcess({ DATA_DIR: await freshFolder() });
  assert.match(started.output(), /password {2}\S{12,}\n/);
  assert.deepEqual(await started.kill('SIGTERM'), { code: 0, signal: null });
});

test('a SIGTERM during the first start exits with 0, and the next start prints the credentials', async () => {
  const env = { DATA_DIR: await freshFolder() };
  const { child, ended, output } = launchProcess(env);
  await eventually('the database to be made', () => existsSync(join(env.DATA_DIR, 'db')));
  child.kill('SIGTERM');
  assert.deepEqual(await ended, { code: 0, signal: null });
  assert.doesNotMatch(output(), /process\.started/);
  const next = await startProcess(env);
  const wasPrinted = /password {2}\S{12,}\n/.test(output());
  assert.equal(/password {2}\S{12,}\n/.test(next.output()), !wasPrinted);
});
