/** File storage in the data folder. */
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../errors/error-code.ts';
import { type DraftFolder, FILES_FOLDER } from './draft-folder.ts';
import type { ByteRange, Draft, FileStorage, LocalFile, OpenFile } from './storage.ts';

/** Largest read (bytes) without a stream, which would need four reads for it. */
const READ_AT_ONCE = 64 * 1024;

/** Files below `DATA_DIR/assets`. */
export class FolderStorage implements FileStorage {
  readonly #root: string;
  readonly #drafts: DraftFolder;

  constructor(dataDir: string, drafts: DraftFolder) {
    this.#root = join(dataDir, FILES_FOLDER);
    this.#drafts = drafts;
  }

  draft(): Promise<Draft> {
    return this.#drafts.draft();
  }

  /** Stores a file so that it survives a power failure: flushes the bytes first, then the name. */
  async store(name: string, draft: Draft): Promise<void> {
    const path = join(this.#root, name);
    await flush(draft.path);
    const createdFolder = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rename(draft.path, path);
    await flush(dirname(path));
    // Flush new parent folders too.
    if (createdFolder !== undefined)
      for (let at = dirname(path); at !== dirname(createdFolder); at = dirname(at)) await flush(dirname(at));
  }

  async sizeOf(name: string): Promise<number | null> {
    return nullIfMissing(stat(join(this.#root, name)).then(({ size }) => size));
  }

  async open(name: string, range?: ByteRange): Promise<OpenFile | null> {
    const file = await nullIfMissing(open(join(this.#root, name)));
    if (file === null) return null;
    try {
      const { size } = await file.stat();
      const { start, end } = range ?? { start: 0, end: size - 1 };
      const length = end - start + 1;
      if (length <= READ_AT_ONCE) return { size, body: await readOnce(file, start, length) };
      return { size, body: file.createReadStream({ start, end }) };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async local(name: string): Promise<LocalFile | null> {
    const path = join(this.#root, name);
    return (await this.sizeOf(name)) === null ? null : { path, release: async () => {} };
  }

  async removeFolder(folder: string): Promise<void> {
    await rm(join(this.#root, folder), { recursive: true, force: true });
  }

  removeDrafts(before: Date): Promise<void> {
    return this.#drafts.removeOld(before);
  }

  close(): void {}
}

async function readOnce(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(buffer, done, length - done, start + done);
    if (bytesRead === 0) throw new Error('A file of the storage became shorter while it was read.');
    done += bytesRead;
  }
  await file.close();
  return buffer;
}

/** Flushes a file or folder to disk. */
async function flush(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function nullIfMissing<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
