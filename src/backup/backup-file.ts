/** Backups as files, written and read as streams. */
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, open, rename, rm } from 'node:fs/promises';
import { stdin, stdout } from 'node:process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { BackupError } from './backup-format.ts';

/** Path that means standard output or input. */
const STANDARD = '-';

/**
 * Writes the lines, gzipped, to a new file that only its owner can read; it is renamed to `path` when complete. `-` is
 * standard output. @throws BackupError if the file exists or cannot be created.
 */
export async function writeBackupFile(path: string, lines: AsyncIterable<string>): Promise<void> {
  const packed = [Readable.from(lines), createGzip({ level: 6 })] as const;
  if (path === STANDARD) return pipeline(...packed, stdout, { end: false });
  await requireAbsent(path);
  const draft = `${path}.${randomBytes(4).toString('hex')}.part`;
  try {
    const file = await open(draft, 'wx', 0o600).catch((cause: unknown) => {
      throw new BackupError(`${path} cannot be written: ${messageOf(cause)}`, { cause });
    });
    await pipeline(...packed, file.createWriteStream({ flush: true }));
    // Do not replace a file created meanwhile. A hard link would guarantee that, but network shares do not support it.
    await requireAbsent(path);
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

async function requireAbsent(path: string): Promise<void> {
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  if (exists) throw new BackupError(`${path} already exists. Choose another name.`);
}

/** Generates the lines of a file; `-` is standard input. @throws BackupError if it cannot be read or is truncated. */
export async function* readBackupFile(path: string): AsyncGenerator<string, void> {
  const packed = path === STANDARD ? stdin : createReadStream(path);
  const unpacked = createGunzip();
  // A pipeline error also fails the read of `unpacked`.
  const flow = pipeline(packed, unpacked).catch(() => {});
  try {
    yield* splitLines(unpacked.setEncoding('utf8'));
  } catch (cause) {
    throw new BackupError(
      `${path === STANDARD ? 'Standard input' : path} cannot be read as a backup: ${messageOf(cause)}`,
      { cause },
    );
  } finally {
    unpacked.destroy();
    await flow;
  }
}

/** Splits at `\n` only; readline also splits at other characters, which occur in text values. */
async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<string, void> {
  let parts: string[] = [];
  for await (const chunk of chunks) {
    const [rest = '', ...lines] = chunk.split('\n').reverse();
    for (const [index, line] of lines.reverse().entries()) {
      yield index === 0 ? `${parts.join('')}${line}` : line;
    }
    if (lines.length > 0) parts = [];
    parts.push(rest);
  }
  const last = parts.join('');
  if (last !== '') yield last;
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
