import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import test from 'node:test';
import { runRefusedProcess } from '../harness/process.ts';
import { startOwnApp } from '../harness/test-app.ts';

export const runsOn = ['embedded', 'server'];
export const neverRunsOn = ['cluster'];

test("a start with a SECRET_KEY other than the database's is refused with one line", async () => {
  const { app, env } = await startOwnApp();
  await app.stop();
  const refused = await runRefusedProcess({ ...env, SECRET_KEY: randomBytes(32).toString('base64') });
  assert.equal(refused.code, 1);
  assert.match(refused.output, /^SECRET_KEY is not the one of this database: [^\n]+\n$/);
});
