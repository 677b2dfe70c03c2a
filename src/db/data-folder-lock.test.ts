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

async function startHolder(t: TestContext, folder: string): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [said] = await once(child.stdout, 'data');
  return { child, said: String(said).trim() };
}

test('a second process on a locked folder is refused with one line that names the folder', async (t) => {
  const folder = newFolder(t);
  const { said } = await startHolder(t, folder);
  assert.equal(said, 'held');
  await assert.rejects(lockDataFolder(folder), (error: Error) => {
    assert.ok(error instanceof DataFolderError);
    assert.ok(error.message.includes(folder));
    assert.match(error.message, /^.*in use by another Tessera process.*$/);
    return true;
  });
});

test('a folder whose process was killed with SIGKILL can be locked at once, again and again', async (t) => {
  const folder = newFolder(t);
  for (let round = 0; round < 3; round += 1) {
    const { child, said } = await startHolder(t, folder);
    assert.equal(said, 'held');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const lock = await lockDataFolder(folder);
    await lock.release();
  }
  assert.deepEqual(readdirSync(folder), ['lock']);
});

test('of processes that start at the same moment exactly one gets the folder', async (t) => {
  const folder = newFolder(t);
  const started = await Promise.all(Array.from({ length: 4 }, () => startHolder(t, folder)));
  assert.deepEqual(started.map((holder) => holder.said).sort(), [
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

test('a missing folder is created readable by its owner alone, however long its path', async (t) => {
  const folder = join(newFolder(t), 'a'.repeat(120), 'b');
  const lock = await lockDataFolder(folder);
  t.after(() => lock.release());
  assert.equal(statSync(folder).mode & 0o777, 0o700);
});

test('a folder that cannot exist is a clear error', async (t) => {
  const file = join(newFolder(t), 'file');
  writeFileSync(file, '');
  await assert.rejects(
    lockDataFolder(join(file, 'data')),
    /^DataFolderError: The data folder .* cannot be locked/,
  );
});
