import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import test, { after } from 'node:test';
import { ROOT } from '../harness/repository.ts';
import { runFiles } from './run-files.ts';

const folder = await mkdtemp(join(tmpdir(), 'tessera-runner-'));
after(() => rm(folder, { recursive: true, force: true }));

/** Writes a test file; returns its path for the runner. */
async function write(name: string, body: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(
    path,
    `import test from 'node:test';\nimport { existsSync, writeFileSync } from 'node:fs';\n${body}`,
  );
  return relative(ROOT, path);
}

function run(...files: readonly string[]) {
  return runFiles(files, {
    workers: 2,
    sharesApp: false,
    features: null,
    testLimitMs: 5000,
    onResult: () => {},
  });
}

test('a file that fails once and passes alone is unsteady, with its first error', async () => {
  const mark = JSON.stringify(join(folder, 'was-here'));
  const file = await write(
    'unsteady.test.mjs',
    `test('passes later', () => {
      if (existsSync(${mark})) return;
      writeFileSync(${mark}, '');
      throw new Error('not yet');
    });`,
  );
  const { passed, unsteady, failed } = await run(file);
  assert.deepEqual([passed.length, unsteady.length, failed.length], [0, 1, 0]);
  assert.match(unsteady[0]?.first.tests[0]?.error ?? '', /^Error: not yet/);
});

test('a file that fails twice fails without affecting others', async () => {
  const [bad, good] = [
    await write(
      'bad.test.mjs',
      "test('breaks', () => { throw new Error('always'); });\ntest('works', () => {});",
    ),
    await write('good.test.mjs', "test('works', () => {});\ntest('is left out', { skip: true }, () => {});"),
  ];
  const { passed, unsteady, failed } = await run(bad, good);
  assert.deepEqual([passed[0]?.file, unsteady.length, failed[0]?.file], [good, 0, bad]);
  assert.deepEqual(
    failed[0]?.tests.map(({ test, outcome }) => [test, outcome]),
    [
      ['breaks', 'failed'],
      ['works', 'passed'],
    ],
  );
  assert.deepEqual(
    passed[0]?.tests.map(({ outcome }) => outcome),
    ['passed', 'skipped'],
  );
});

test('a test that hangs is killed and named', async () => {
  const file = await write(
    'hangs.test.mjs',
    "test('works', () => {});\ntest('hangs', () => new Promise((done) => setTimeout(done, 3_600_000)));",
  );
  const { failed } = await run(file);
  assert.match(failed[0]?.error ?? '', /^Hung: "hangs" did not end within 5 s/);
});

test('a file that ends its process or cannot be loaded fails', async () => {
  const exits = await write('exits.test.mjs', "test('ends all', () => process.exit(3));");
  const broken = await write('broken.test.mjs', 'throw new Error("cannot be loaded");');
  const { failed } = await run(exits, broken);
  const errors = new Map(failed.map(({ file, error }) => [file, error]));
  assert.match(errors.get(exits) ?? '', /ended with exit code 3/);
  assert.match(errors.get(broken) ?? '', /cannot be loaded/);
});
