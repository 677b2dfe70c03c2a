import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { DataFolderError, lockDataFolder } from './data-folder-lock.ts';

const HOLDER = `
  import { lockDataFolder } from ${JSON.stringify(join(import.meta.dirname, 'data-folder-lock.ts'))};
  try { await lockDataFolder(process.argv[1]); console.log('held'); setInterval(() => {}, 1000); }
  catch (error) { console.log(error.name); }
`;

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-lock-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function startHolder(t: TestContext, folder: string): Promise<{ child: ChildProcess; output: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [output] = await once(child.stdout, 'data');
  return { child, output: String(output).trim() };
}

test('a second process on a locked folder is refused with one line that names the folder', async (t) => {
  const folder = newFolder(t);
  const { output } = await startHolder(t, folder);
  assert.equal(output, 'held');
  await assert.rejects(lockDataFolder(folder), (error: Error) => {
    assert.ok(error instanceof DataFolderError);
    assert.ok(error.message.includes(folder));
    assert.match(error.message, /^.*in use by another Tessera process.*$/);
    return true;
  });
});

test('a folder whose process was killed with SIGKILL can be locked immediately, repeatedly', async (t) => {
  const folder = newFolder(t);
  for (let round = 0; round < 3; round += 1) {
    const { child, output } = await startHolder(t, folder);
    assert.equal(output, 'held');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const lock = await lockDataFolder(folder);
    await lock.release();
  }
  assert.deepEqual(readdirSync(folder), ['lock']);
});

test('only one of several processes that start at the same moment gets the folder', async (t) => {
  const folder = newFolder(t);
  const started = await Promise.all(Array.from({ length: 4 }, () => startHolder(t, folder)));
  assert.deepEqual(started.map((holder) => holder.output).sort(), [
    'DataFolderError',
    'DataFolderError',
    'DataFolderError',
    'held',
  ]);
});

test('a second lock inside the same process is refused, and a released folder can be locked again', async (t) => {
  const folder = newFolder(t);
  const first = await lockDataFolder(folder);
  await assert.rejects(lockDataFolder(folder), DataFolderError);
  await first.release();
  await first.release();
  await (await lockDataFolder(folder)).release();
});

test('a missing folder is created, readable by its owner only, however long its path', async (t) => {
  const folder = join(newFolder(t), 'a'.repeat(120), 'b');
  const lock = await lockDataFolder(folder);
  t.after(() => lock.release());
  assert.equal(statSync(folder).mode & 0o777, 0o700);
});

test('a path where no folder can be created causes a clear error', async (t) => {
  const file = join(newFolder(t), 'file');
  writeFileSync(file, '');
  await assert.rejects(
    lockDataFolder(join(file, 'data')),
    /^DataFolderError: The data folder .* cannot be locked/,
  );
});
