/** Reads archives of `strapi export`. */
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { parseJson, reasonOf } from './target.ts';

const GZIP = Buffer.from([0x1f, 0x8b]);

/** A file in an archive. */
export interface ArchiveFile {
  /** For example `entities/entities_00001.jsonl`. */
  readonly path: string;
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * Calls `read` with each file of an archive, one after the other. @throws Error if the file is not an archive, and
 * errors of `read`.
 */
export async function readArchive(path: string, read: (file: ArchiveFile) => Promise<void>): Promise<void> {
  const failed = new AbortController();
  const { signal } = failed;
  let reading = Promise.resolve();
  // Loaded only here, because all commands load this file.
  const { Parser } = await import('tar');
  const parser = new Parser({
    strict: true,
    filter: (_path, entry) => 'type' in entry && entry.type === 'File',
    // The parser waits with the next file until this one is read.
    onReadEntry: (entry) => {
      const file = { path: toPath(entry.path), size: entry.size, content: entry };
      reading = reading
        .then(() => read(file))
        .then(
          () => void entry.resume(),
          (error: unknown) => failed.abort(error),
        );
    },
  });
  try {
    for await (const chunk of await unpack(path, signal))
      if (!parser.write(chunk)) await once(parser, 'drain', { signal });
    const ended = once(parser, 'end', { signal });
    parser.end();
    await ended;
    await reading;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new Error(`${path} cannot be read as an archive of strapi export: ${reasonOf(error)}`, {
      cause: error,
    });
  }
  signal.throwIfAborted();
}

/** Returns the bytes of the archive, decompressed if necessary. */
async function unpack(path: string, signal: AbortSignal): Promise<AsyncIterable<Buffer>> {
  if (path.endsWith('.enc')) throw new Error('it is encrypted; export again with --no-encrypt');
  const file = await open(path);
  const { buffer } = await file
    .read({ buffer: Buffer.alloc(GZIP.length), position: 0 })
    .finally(() => file.close());
  const bytes = createReadStream(path, { signal });
  // Errors reach the reader of the stream that is returned.
  return buffer.equals(GZIP) ? pipeline(bytes, createGunzip(), () => {}) : bytes;
}

/** Archives of Windows contain backslashes. */
function toPath(path: string): string {
  return path.replaceAll('\\', '/').replace(/^\.\//, '');
}

/** Parses a file of JSON lines; undefined for lines that are not JSON. */
export async function* readJsonLines({ content }: ArchiveFile): AsyncIterable<unknown> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of content) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield parseJson(line);
  }
  if (rest !== '') yield parseJson(rest);
}
