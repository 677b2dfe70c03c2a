/** Import of the files of a Directus as assets. */
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Type from 'typebox';
import Value from 'typebox/value';
import { type DirectusApi, DirectusError, DirectusFile, DirectusFolder } from './directus-api.ts';
import { carry, type Move } from './move.ts';

const MAX_FILE_BYTES = 100 * 1024 * 1024;
const MAX_NAME_CHARS = 255;
const MAX_ALT_CHARS = 2000;
const MAX_FOLDER_CHARS = 1024;
const MAX_TAG_CHARS = 100;
const MAX_TAGS = 99;
const FIELDS = ['id', 'filename_download', 'title', 'description', 'folder', 'filesize', 'tags'];

const Asset = Type.Object({ url: Type.String() });
const Assets = Type.Object({ results: Type.Array(Asset) });
const Identified = Type.Object({ id: Type.String() });

/** Returns the key under which the state stores the URL of a file. */
export function fileKey(id: string): string {
  return `file:${id}`;
}

/** Imports all files with their folders, descriptions and tags. */
export async function carryFiles(move: Move, api: DirectusApi): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-import-'));
  try {
    const folders = await readFolders(move, api);
    for await (const page of api.pages('/files', { fields: FIELDS, sort: 'id' }))
      for (const file of page)
        if (Value.Check(DirectusFile, file)) await carryFile(move, api, { file, folders, folder });
        else
          move.report.leave(
            `file ${Value.Check(Identified, file) ? file.id : ''}`.trim(),
            'the data has other types than Directus has',
          );
  } catch (error) {
    if (!(error instanceof DirectusError && error.isMissing)) throw error;
    move.report.leave('files', error.message);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readFolders({ report }: Move, api: DirectusApi): Promise<ReadonlyMap<string, DirectusFolder>> {
  const folders = new Map<string, DirectusFolder>();
  try {
    for await (const page of api.pages('/folders', { fields: ['id', 'name', 'parent'], sort: 'id' }))
      for (const folder of page) if (Value.Check(DirectusFolder, folder)) folders.set(folder.id, folder);
  } catch (error) {
    if (!(error instanceof DirectusError && error.isMissing)) throw error;
    report.leave('folders of files', error.message);
  }
  return folders;
}

interface FileToCarry {
  readonly file: DirectusFile;
  readonly folders: ReadonlyMap<string, DirectusFolder>;
  /** Folder for the bytes while they are uploaded. */
  readonly folder: string;
}

async function carryFile(
  move: Move,
  api: DirectusApi,
  { file, folders, folder }: FileToCarry,
): Promise<void> {
  const { target, report } = move;
  const fileName = file.filename_download ?? file.title ?? file.id;
  const name = `file ${fileName}`;
  if (Number(file.filesize ?? 0) > MAX_FILE_BYTES) return report.leave(name, 'is larger than 100 MiB');
  const tag = `directus:${file.id}`;
  const upload = async () => {
    // The tag finds the asset of an import that ended between the upload and the note of it.
    const filters = { tags: { operation: 'eq', value: tag } };
    const known = await target.send('POST', '/api/assets/list', { page: 1, limit: 1, filters });
    const [asset] = Value.Check(Assets, known) ? known.results : [];
    if (asset !== undefined) return asset.url;
    const bytes = join(folder, 'file');
    await api.download(file.id, bytes);
    const form = new FormData();
    form.set('folder', pathOf(file.folder ?? null, folders));
    const alt = file.description ?? file.title ?? '';
    if (alt !== '') form.set('alt', alt.slice(0, MAX_ALT_CHARS).toWellFormed());
    for (const each of [...tagsOf(file), tag]) form.append('tags', each);
    form.set('file', await openAsBlob(bytes), fileName.slice(-MAX_NAME_CHARS).toWellFormed());
    const created = await target.form('/api/assets', form);
    if (!Value.Check(Asset, created))
      throw new Error('the answer to /api/assets is not what Tessera answers');
    return created.url;
  };
  try {
    await carry(move, { kind: 'files', key: fileKey(file.id), name }, upload);
  } catch (error) {
    if (!(error instanceof DirectusError && error.isMissing)) throw error;
    report.leave(name, error.message);
  }
}

function tagsOf({ tags }: DirectusFile): string[] {
  const usable = (tags ?? []).filter((tag) => tag !== '' && tag.length <= MAX_TAG_CHARS);
  return [...new Set(usable)].slice(0, MAX_TAGS);
}

/** Returns the path of a folder; `/` if it is too long. */
function pathOf(id: string | null, folders: ReadonlyMap<string, DirectusFolder>): string {
  const names: string[] = [];
  const seen = new Set<string>();
  for (let at = id; at !== null && !seen.has(at); ) {
    seen.add(at);
    const folder = folders.get(at);
    if (folder !== undefined && folder.name !== '') names.unshift(folder.name.replaceAll('/', '-'));
    at = folder?.parent ?? null;
  }
  const path = `/${names.join('/')}`;
  return path.length <= MAX_FOLDER_CHARS ? path : '/';
}
