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

/** Reads the single line of a file; null: there is no file. @throws a system error if it cannot be read. */
export function readSecretFile(path: string): string | null {
  return unless('ENOENT', () => readFileSync(path, 'utf8').trim());
}

/**
 * Reads the single line of a file, or creates it with the result of `generate` (mode 0600, in a folder of mode 0700).
 * Processes that start together all get the same line: each writes a temporary file and links it to the name, which
 * only one can do, and which never shows a partial file. The line is on disk before it is returned, because data
 * encrypted with it may be stored next.
 * @throws a system error if the folder or file cannot be read or written.
 */
export function readOrCreateSecretFile(path: string, generate: () => string): string {
  const existing = readSecretFile(path);
  if (existing !== null) return existing;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(temporary, `${generate()}\n`, { flag: 'wx', mode: 0o600, flush: true });
    unless('EEXIST', () => linkSync(temporary, path));
  } finally {
    rmSync(temporary, { force: true });
  }
  flushFolder(dirname(path));
  return readFileSync(path, 'utf8').trim();
}

/** Returns the result of `work`; null if it fails with this code. */
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
