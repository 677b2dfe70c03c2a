/** Import of files as assets. */
import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import Type from 'typebox';
import Value from 'typebox/value';
import { importOnce, type Move } from './move.ts';
import { withTemporaryFolder } from './temporary-folder.ts';

const MAX_FILE_BYTES = 100 * 1024 * 1024;
const MAX_NAME_CHARS = 255;
const MAX_ALT_CHARS = 2000;
const MAX_FOLDER_CHARS = 1024;
const MAX_TAG_CHARS = 100;
const MAX_TAGS = 99;

const Asset = Type.Object({ url: Type.String() });
const Assets = Type.Object({ results: Type.Array(Asset) });

/** A file of a source, without its bytes. */
export interface SourceFile {
  /** Id in the source. */
  readonly id: string;
  /** Tag by which the next run finds the asset if an import stopped before it stored its id. */
  readonly tag: string;
  readonly name: string;
  readonly bytes: number;
  /** Names of the folders around it. */
  readonly folders: readonly string[];
  readonly alt: string;
  readonly tags: readonly string[];
}

/** Returns the key under which the state stores the URL of a file. */
export function assetKey(id: string): string {
  return `file:${id}`;
}

/** Imports a file. `save` writes its bytes to a path. */
export async function importAsset(
  move: Move,
  file: SourceFile,
  save: (path: string) => Promise<void>,
): Promise<void> {
  const name = `file ${file.name}`;
  if (file.bytes > MAX_FILE_BYTES) return move.report.skip(name, 'is larger than 100 MiB');
  await importOnce(move, { kind: 'files', key: assetKey(file.id), name }, async () => {
    const known = await findAsset(move, file.tag);
    if (known !== undefined) return known;
    return withTemporaryFolder(async (folder) => {
      const path = join(folder, 'file');
      await save(path);
      return upload(move, file, path);
    });
  });
}

async function findAsset({ target }: Move, tag: string): Promise<string | undefined> {
  const filters = { tags: { operation: 'eq', value: tag } };
  const known = await target.send('POST', '/api/assets/list', { page: 1, limit: 1, filters });
  return Value.Check(Assets, known) ? known.results[0]?.url : undefined;
}

async function upload({ target }: Move, file: SourceFile, path: string): Promise<string> {
  const form = new FormData();
  form.set('folder', toFolder(file.folders));
  if (file.alt !== '') form.set('alt', file.alt.slice(0, MAX_ALT_CHARS).toWellFormed());
  const usable = file.tags.filter((tag) => tag !== '' && tag.length <= MAX_TAG_CHARS);
  for (const tag of [...[...new Set(usable)].slice(0, MAX_TAGS), file.tag]) form.append('tags', tag);
  form.set('file', await openAsBlob(path), file.name.slice(-MAX_NAME_CHARS).toWellFormed());
  const created = await target.form('/api/assets', form);
  if (!Value.Check(Asset, created)) throw new Error('the response to /api/assets is not a Tessera response');
  return created.url;
}

/** Returns the path of a folder; `/` if it is too long. */
function toFolder(names: readonly string[]): string {
  const parts = names.filter((name) => name !== '').map((name) => name.replaceAll('/', '-'));
  const path = `/${parts.join('/')}`;
  return path.length <= MAX_FOLDER_CHARS ? path : '/';
}
