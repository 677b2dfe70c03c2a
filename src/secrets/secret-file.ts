import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/**
 * The one line that the file holds; when there is no file, it is created with what `generate` gives (mode 0600, in a
 * folder of mode 0700). Processes that start together all get the same line: the file is written aside and then
 * linked to its name, which only one can do and which shows it whole or not at all. On disk before it is returned,
 * because what is encrypted with it may be stored next.
 * @throws a system error when the folder or file cannot be read or written.
 */
export function readOrCreateSecretFile(path: string, generate: () => string): string {
  const existing = readIfPresent(path);
  if (existing !== null) return existing;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    writeDurably(aside, `${generate()}\n`);
    linkUnlessPresent(aside, path);
  } finally {
    rmSync(aside, { force: true });
  }
  flushFolder(dirname(path));
  return readFileSync(path, 'utf8').trim();
}

function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function linkUnlessPresent(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}

function flushFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
