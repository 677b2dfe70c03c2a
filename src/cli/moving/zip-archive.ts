/** Unpacks ZIP archives. */
import { createWriteStream } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Unpacks the CSV files of an archive into a folder, without the folders that they are in. */
export async function unpackCsvFiles(path: string, folder: string): Promise<void> {
  // Loaded only here, because all commands load this file.
  const { openPromise } = await import('yauzl');
  const archive = await openPromise(path).catch((error: Error) => {
    throw new Error(`${path} cannot be read as a ZIP archive: ${error.message}`, { cause: error });
  });
  try {
    for await (const entry of archive.eachEntry()) {
      const name = basename(entry.fileName);
      // Programs of macOS add files that begin with a dot.
      if (!/^[^.].*\.csv$/i.test(name)) continue;
      const content = await archive.openReadStreamPromise(entry);
      await pipeline(content, createWriteStream(join(folder, name), { flags: 'wx' }));
    }
  } finally {
    archive.close();
  }
}
