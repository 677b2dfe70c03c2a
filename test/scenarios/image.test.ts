/** The image, as far as it is built without a container engine. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { freshFolder } from '../harness/fresh-database.ts';
import { ROOT, readText } from '../harness/repository.ts';

export const neverRunsOn = ['cluster'];

test('what the image copies before it installs is all that bundling takes', async () => {
  const [build = ''] = (await readText('Dockerfile')).split('\nRUN npm ci');
  const copied = [...build.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '));
  assert.ok(copied.includes('package-lock.json'), `${copied}`);
  const folder = await freshFolder();
  // .dockerignore leaves it out.
  const isSource = (path: string) => !path.startsWith(join(ROOT, 'web/dist'));
  for (const name of copied)
    await cp(join(ROOT, name), join(folder, name), { recursive: true, filter: isSource });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await promisify(execFile)(process.execPath, ['--no-warnings', 'web/build.ts'], { cwd: folder });
  assert.deepEqual(
    (await readdir(join(folder, 'web/dist'))).sort(),
    (await readdir(join(ROOT, 'web/dist'))).sort(),
  );
});
