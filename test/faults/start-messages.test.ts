import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import test from 'node:test';
import { toReadable } from '../../src/observe/log.ts';
import { freshDatabase, freshFolder } from '../harness/fresh-database.ts';
import { runRefusedProcess } from '../harness/process.ts';

export const runsOn = ['embedded'];
export const neverRunsOn = ['cluster'];

test('a port in use ends the start before anything is printed, with an error that names PORT', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  t.after(() => other.close());
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? String(address.port) : '';
  const SECRET_KEY = Buffer.alloc(32).toString('base64');
  const env = { ...(await freshDatabase(undefined)), SECRET_KEY, PORT: port };
  const { code, output } = await runRefusedProcess(env);
  assert.equal(code, 1);
  assert.match(output, /^PORT \d+ on 127\.0\.0\.1 is in use by another process\.[^\n]*\n$/);
});

test('an unreachable database is reported in one line that names DATABASE_URL', async () => {
  const { code, output } = await runRefusedProcess({
    DATA_DIR: await freshFolder(),
    SECRET_KEY: Buffer.alloc(32).toString('base64'),
    DATABASE_URL: 'postgres://tessera:hunter2@localhost:1/tessera',
  });
  assert.equal(code, 1);
  assert.match(output, /^DATABASE_URL: the server cannot be used: [^\n]*ECONNREFUSED[^\n]*\n$/);
  assert.doesNotMatch(output, /hunter2/);
});

test('on a terminal the log is human-readable', () => {
  const facts = {
    level: 30,
    time: '2026-01-02T03:04:05.678Z',
    pid: 1,
    hostname: 'h',
    event: 'process.started',
  };
  assert.equal(
    toReadable(JSON.stringify({ ...facts, url: 'http://x' })),
    '03:04:05 info process.started url=http://x\n',
  );
});
