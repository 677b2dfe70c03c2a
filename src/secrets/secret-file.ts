import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../errors/error-code.ts';

/** The one line that the file holds; null when there is no file. @throws a system error when it cannot be read. */
export function readSecretFile(path: string): string | null {
  return unless('ENOENT', () => readFileSync(path, 'utf8').trim());
}

/**
 * The one line that the file holds; when there is no file, it is created with what `generate` gives (mode 0600, in a
 * folder of mode 0700). Processes that start together all get the same line: the file is written aside and then
 * linked to its name, which only one can do and which shows it whole or not at all. On disk before it is returned,
 * because what is encrypted with it may be stored next.
 * @throws a system error when the folder or file cannot be read or written.
 */
export function readOrCreateSecretFile(path: string, generate: () => string): string {
  const existing = readSecretFile(path);
  if (existing !== null) return existing;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(aside, `${generate()}\n`, { flag: 'wx', mode: 0o600, flush: true });
    unless('EEXIST', () => linkSync(aside, path));
  } finally {
    rmSync(aside, { force: true });
  }
  flushFolder(dirname(path));
  return readFileSync(path, 'utf8').trim();
}

/** What `work` gives; null when it fails with this code. */
function unless<T>(code: string, work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (codeOf(error) === code) return null;
    throw error;
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
