/** Import of the files of a Strapi as assets. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { importAsset } from './asset-import.ts';
import type { Move } from './move.ts';
import { readArchive } from './strapi-archive.ts';
import type { StrapiExport } from './strapi-export.ts';

const FOLDER = 'assets/uploads/';
/** Maximum length of a key in a tag, which also has a prefix. */
const MAX_HASH_CHARS = 90;

/** Imports the files that the archive contains. Sizes that Strapi made of images are left out. */
export async function importFiles(move: Move, found: StrapiExport): Promise<void> {
  const missing = new Map([...found.files].map(([id, file]) => [`${file.hash}${file.ext ?? ''}`, id]));
  await readArchive(move.from, async ({ path, size, content }) => {
    const id = path.startsWith(FOLDER) ? missing.get(path.slice(FOLDER.length)) : undefined;
    const file = id === undefined ? undefined : found.files.get(id);
    if (id === undefined || file === undefined) return;
    missing.delete(path.slice(FOLDER.length));
    const source = {
      id,
      tag: `strapi:${file.hash.slice(-MAX_HASH_CHARS)}`,
      name: file.name,
      bytes: size,
      folders: foldersOf(found, file.folderPath ?? ''),
      alt: file.alternativeText ?? file.caption ?? '',
      tags: [],
    };
    await importAsset(move, source, (target) => pipeline(Readable.from(content), createWriteStream(target)));
  });
  for (const id of missing.values())
    move.report.skip(`file ${found.files.get(id)?.name ?? id}`, 'its bytes are not in the archive');
}

/** Returns the names of the folders on a path of numbers, such as `/1/3`. */
function foldersOf({ folders }: StrapiExport, path: string): string[] {
  return path.split('/').flatMap((part) => folders.get(part) ?? []);
}
