/** The container image, as far as it can be built without a container engine. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { freshFolder } from '../harness/fresh-database.ts';
import { ROOT, readText } from '../harness/repository.ts';

export const neverRunsOn = ['cluster'];

test('the image copies everything that its build needs', async () => {
  const [build = ''] = (await readText('Dockerfile')).split('\nFROM ').slice(1, 2);
  const copied = [...build.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '));
  assert.ok(copied.includes('package-lock.json'), `${copied}`);
  const scripts = [...build.matchAll(/\bnode --no-warnings ((?:web|console)\/\S+\.ts)/g)].map(
    ([, script = '']) => script,
  );
  assert.deepEqual(scripts, ['web/build.ts', 'web/build-guides.ts', 'console/build.ts']);
  const folder = await freshFolder();
  // .dockerignore excludes them.
  const isSource = (path: string) =>
    !/\/(?:web\/dist|console\/dist|sdk\/dist|node_modules)(?:\/|$)/.test(path);
  for (const name of copied)
    await cp(join(ROOT, name), join(folder, name), { recursive: true, filter: isSource });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const script of scripts)
    await promisify(execFile)(process.execPath, ['--no-warnings', script], { cwd: folder });
  for (const path of ['web/dist', 'web/dist/guides'])
    assert.deepEqual((await readdir(join(folder, path))).sort(), (await readdir(join(ROOT, path))).sort());
  assert.ok((await readdir(join(folder, 'console/dist'))).includes('manifest.json'));
});
