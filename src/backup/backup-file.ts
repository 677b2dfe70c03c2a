/** Backups as files, written and read as streams. */
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, open, rename, rm } from 'node:fs/promises';
import { stdin, stdout } from 'node:process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { BackupError } from './backup-format.ts';

/** Stands for standard output or input. */
const STANDARD = '-';

/**
 * Writes the lines, gzipped, to a new file that only its owner reads; it has its name when it is complete. `-` is standard
 * output. @throws BackupError when there is a file of this name, or none can be made.
 */
export async function writeBackupFile(path: string, lines: AsyncIterable<string>): Promise<void> {
  const packed = [Readable.from(lines), createGzip({ level: 6 })] as const;
  if (path === STANDARD) return pipeline(...packed, stdout, { end: false });
  await requireFree(path);
  const draft = `${path}.${randomBytes(4).toString('hex')}.part`;
  try {
    const file = await open(draft, 'wx', 0o600).catch((cause: unknown) => {
      throw new BackupError(`${path} cannot be written: ${messageOf(cause)}`, { cause });
    });
    await pipeline(...packed, file.createWriteStream({ flush: true }));
    // One that has come meanwhile is not replaced. A link would be sure of that, but network shares know none.
    await requireFree(path);
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

async function requireFree(path: string): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw new BackupError(`${path} is there already. Choose another name.`);
}

/** The lines of a file, or of standard input for `-`. @throws BackupError when it cannot be read or is cut off. */
export async function* readBackupFile(path: string): AsyncGenerator<string, void> {
  const packed = path === STANDARD ? stdin : createReadStream(path);
  const unpacked = createGunzip();
  // What fails on the way fails the reading of `unpacked` too.
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

/** By `\n` alone: readline takes other characters for ends of lines too, which stand in texts. */
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
