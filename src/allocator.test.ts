import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';
import { ROOT } from '../test/harness/repository.ts';

/** Says of every process image that begins which process it is and what its allocator was told. */
const WITNESS = 'data:text/javascript,console.log(process.pid,process.env.MALLOC_TRIM_THRESHOLD_)';

/** What the witness says, in order, of a start that ends at once because PORT is none. */
function imagesOf(env: Readonly<Record<string, string>>): { pid: number | undefined; told: string[] } {
  const { pid, stdout } = spawnSync(
    process.execPath,
    ['--no-warnings', '--import', WITNESS, 'src/main.ts', 'serve'],
    { cwd: ROOT, env: { PATH: process.env.PATH ?? '', PORT: 'none', ...env }, encoding: 'utf8' },
  );
  return { pid, told: stdout.trim().split('\n') };
}

test('a process that serves gives freed memory back, as the same process', () => {
  const { pid, told } = imagesOf({});
  const images = process.platform === 'linux' ? ['undefined', '131072'] : ['undefined'];
  assert.deepEqual(
    told,
    images.map((threshold) => `${pid} ${threshold}`),
  );
});

test('what the operator has set for the allocator stays', () => {
  const { pid, told } = imagesOf({ MALLOC_TRIM_THRESHOLD_: '1048576' });
  assert.deepEqual(told, [`${pid} 1048576`]);
});
