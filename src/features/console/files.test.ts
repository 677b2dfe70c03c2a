import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { watchConsoleFiles } from './files.ts';
import { notBuiltPage } from './page.ts';

const folder = await mkdtemp(join(tmpdir(), 'tessera-console-'));
test.after(() => rm(folder, { recursive: true, force: true }));
const find = watchConsoleFiles(pathToFileURL(`${folder}/`));

/** Writes a build whose only script has this name, at a time in seconds. */
async function build(script: string, time: number): Promise<void> {
  await mkdir(join(folder, 'assets'), { recursive: true });
  for (const ending of ['', '.br', '.gz']) await writeFile(join(folder, 'assets', script + ending), script);
  const manifest = {
    scripts: [script],
    preload: [],
    screens: [],
    styles: [],
    signIn: { styles: [] },
    fonts: [],
    frame: '',
  };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
  await utimes(join(folder, 'manifest.json'), time, time);
}

test('a console that was not built is found after the build, and again after the next one', async () => {
  assert.equal(await find(), null);
  await build('main-1.js', 1000);
  assert.deepEqual((await find())?.manifest.scripts, ['main-1.js']);
  assert.equal((await (await find())?.read('main-1.js'))?.body.toString(), 'main-1.js');
  await build('main-2.js', 2000);
  assert.deepEqual((await find())?.manifest.scripts, ['main-2.js']);
  assert.notEqual(await (await find())?.read('main-2.js'), null);
});

test('the page of a console that was not built says how to build it', () => {
  const { status, body } = notBuiltPage();
  assert.equal(status, 503);
  assert.match(String(body), /npm run build:console/);
});
