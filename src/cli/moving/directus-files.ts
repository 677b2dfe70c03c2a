/** Import of the files of a Directus as assets. */
import Type from 'typebox';
import Value from 'typebox/value';
import { importAsset } from './asset-import.ts';
import { type DirectusApi, DirectusFile, DirectusFolder } from './directus-api.ts';
import type { Move } from './move.ts';
import { SourceError } from './source-http.ts';

const FIELDS = ['id', 'filename_download', 'title', 'description', 'folder', 'filesize', 'tags'];

const Identified = Type.Object({ id: Type.String() });

/** Imports all files with their folders, descriptions and tags. */
export async function importFiles(move: Move, api: DirectusApi): Promise<void> {
  try {
    const folders = await readFolders(move, api);
    for await (const page of api.pages('/files', { fields: FIELDS, sort: 'id' }))
      for (const file of page)
        if (Value.Check(DirectusFile, file)) await importOneFile(move, api, file, folders);
        else
          move.report.skip(
            `file ${Value.Check(Identified, file) ? file.id : ''}`.trim(),
            'the data has unexpected types',
          );
  } catch (error) {
    if (!(error instanceof SourceError && error.isMissing)) throw error;
    move.report.skip('files', error.message);
  }
}

async function readFolders({ report }: Move, api: DirectusApi): Promise<ReadonlyMap<string, DirectusFolder>> {
  const folders = new Map<string, DirectusFolder>();
  try {
    for await (const page of api.pages('/folders', { fields: ['id', 'name', 'parent'], sort: 'id' }))
      for (const folder of page) if (Value.Check(DirectusFolder, folder)) folders.set(folder.id, folder);
  } catch (error) {
    if (!(error instanceof SourceError && error.isMissing)) throw error;
    report.skip('folders of files', error.message);
  }
  return folders;
}

async function importOneFile(
  move: Move,
  api: DirectusApi,
  file: DirectusFile,
  folders: ReadonlyMap<string, DirectusFolder>,
): Promise<void> {
  const { id, filename_download, title, description, folder, filesize, tags } = file;
  const name = filename_download ?? title ?? id;
  const source = {
    id,
    name,
    tag: `directus:${id}`,
    bytes: Number(filesize ?? 0),
    folders: foldersAround(folder ?? null, folders),
    alt: description ?? title ?? '',
    tags: tags ?? [],
  };
  try {
    await importAsset(move, source, (path) => api.download(id, path));
  } catch (error) {
    if (!(error instanceof SourceError && error.isMissing)) throw error;
    move.report.skip(`file ${name}`, error.message);
  }
}

/** Returns the names of a folder and those around it, the outermost first. */
function foldersAround(id: string | null, folders: ReadonlyMap<string, DirectusFolder>): string[] {
  const names: string[] = [];
  const seen = new Set<string>();
  for (let at = id; at !== null && !seen.has(at); ) {
    seen.add(at);
    const folder = folders.get(at);
    if (folder !== undefined) names.unshift(folder.name);
    at = folder?.parent ?? null;
  }
  return names;
}
