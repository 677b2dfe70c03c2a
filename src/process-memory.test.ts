import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';
import { ROOT } from '../test/harness/repository.ts';

/** Preload script that prints the process id and the memory settings of every process image. */
const WITNESS =
  'data:text/javascript,console.log(process.pid,process.env.MALLOC_TRIM_THRESHOLD_,process.execArgv.filter((flag)=>/^--(max-semi|heap-gr)/.test(flag)).join()||undefined)';

/** Returns the printed lines of a start that ends at once because PORT is invalid. */
function imagesOf(env: Readonly<Record<string, string>>): { pid: number | undefined; told: string[] } {
  const { pid, stdout } = spawnSync(
    process.execPath,
    ['--no-warnings', '--import', WITNESS, 'src/main.ts', 'serve'],
    { cwd: ROOT, env: { PATH: process.env.PATH ?? '', PORT: 'none', ...env }, encoding: 'utf8' },
  );
  return { pid, told: stdout.trim().split('\n') };
}

const GROWING = '--heap-growing-percent=40';
const SMALL = `--max-semi-space-size=8,${GROWING}`;

test('a serving process returns freed memory and collects early, as the same process', () => {
  const { pid, told } = imagesOf({});
  const images =
    process.platform === 'linux' ? ['undefined undefined', `131072 ${SMALL}`] : ['undefined undefined'];
  assert.deepEqual(
    told,
    images.map((each) => `${pid} ${each}`),
  );
});

test('settings of the operator are kept', () => {
  const { pid, told } = imagesOf({
    MALLOC_TRIM_THRESHOLD_: '1048576',
    NODE_OPTIONS: '--max-semi-space-size=32',
  });
  const images =
    process.platform === 'linux' ? ['1048576 undefined', `1048576 ${GROWING}`] : ['1048576 undefined'];
  assert.deepEqual(
    told,
    images.map((each) => `${pid} ${each}`),
  );
});
