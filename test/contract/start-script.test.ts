/** `bin/tessera` starts the program with the memory settings of docs/decisions/0019-memory-settings.md. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { ROOT } from '../harness/repository.ts';

export const changesWith = ['bin/', 'src/main.ts'];

/** Preload script that prints the process id and the memory settings that the program runs with. */
const REPORT = `data:text/javascript,${encodeURIComponent(`
  const youngGeneration = process.env.NODE_OPTIONS.match(/semi-space-size=\\d+/g).at(-1);
  const isOldGenerationSmall = process.execArgv.includes('--heap-growing-percent=40');
  console.log(process.pid, process.env.MALLOC_TRIM_THRESHOLD_, youngGeneration, isOldGenerationSmall);
`)}`;

/**
 * Runs the start script and returns what the program reports. Its process id shows that the script left no shell
 * behind.
 */
function settingsOf(script: string, env: Readonly<Record<string, string>> = {}): string {
  const { pid, stdout } = spawnSync(script, ['--version'], {
    env: {
      PATH: process.env.PATH ?? '',
      ...env,
      NODE_OPTIONS: `${env.NODE_OPTIONS ?? ''} --import ${REPORT}`,
    },
    encoding: 'utf8',
  });
  const [line = ''] = stdout.split('\n');
  return line.replace(String(pid), 'pid');
}

test('a process returns freed memory and collects garbage early', () => {
  assert.equal(settingsOf(join(ROOT, 'bin/tessera')), 'pid 131072 semi-space-size=8 true');
});

test('memory settings in the environment take precedence', () => {
  const env = { MALLOC_TRIM_THRESHOLD_: '1048576', NODE_OPTIONS: '--max-semi-space-size=32' };
  assert.equal(settingsOf(join(ROOT, 'bin/tessera'), env), 'pid 1048576 semi-space-size=32 true');
});

test('the start script works through a symbolic link, as in the container image', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-link-'));
  t.after(() => rmSync(folder, { recursive: true }));
  symlinkSync(join(ROOT, 'bin/tessera'), join(folder, 'tessera'));
  assert.equal(settingsOf(join(folder, 'tessera')), 'pid 131072 semi-space-size=8 true');
});
