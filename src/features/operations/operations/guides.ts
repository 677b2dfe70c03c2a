/** The guides: static pages that `web/build-guides.ts` builds from `docs/`, read from disk when first requested. */
import { readdir } from 'node:fs/promises';
import { extname } from 'node:path';
import { BUILT_FILES, missingFile, readBuiltAsset } from '../../../http/built-files.ts';
import type { StaticFile } from '../../../http/static-file.ts';

const FOLDER = new URL('guides/', BUILT_FILES);

/** Content types by file extension. Compressed copies have other extensions. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** Folder of files that browsers may cache for a year, because their names change with their content. */
const IMMUTABLE_FOLDER = 'files/';
const YEAR_SECONDS = 365 * 24 * 3600;

/** The page that lists all others. */
export const INDEX_PAGE = 'index';

/** A file of the guides. */
export interface GuideFile {
  readonly maxAgeSeconds: number;
  readonly read: () => Promise<StaticFile>;
}

/** Returns all pages and files by path, relative to `/guides/`. @throws Error naming the command that builds them. */
export async function findGuides(): Promise<ReadonlyMap<string, GuideFile>> {
  const names = await readdir(FOLDER, { recursive: true }).catch((cause) =>
    Promise.reject(missingFile('guides/index.html', cause)),
  );
  const guides = new Map<string, GuideFile>();
  for (const name of names.map((each) => each.replaceAll('\\', '/'))) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const maxAgeSeconds = name.startsWith(IMMUTABLE_FOLDER) ? YEAR_SECONDS : 0;
    const read = once(() => readBuiltAsset(`guides/${name}`, type));
    guides.set(name.replace(/\.html$/, ''), { maxAgeSeconds, read });
  }
  return guides;
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let promise: Promise<T> | undefined;
  return () => {
    promise ??= read();
    return promise;
  };
}
