/** The built files of the console, which `npm run build:console` writes to `console/dist`. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { codeOf } from '../../errors/error-code.ts';
import type { AccountLanguage } from '../../http/account-page.ts';
import { readBuiltAsset } from '../../http/built-files.ts';
import { compressFile, type StaticFile } from '../../http/static-file.ts';
import { oncePerPlatform } from '../../platform.ts';

/** The folder of the built files. */
const DIST = new URL('../../../console/dist/', import.meta.url);

const Names = Type.Array(Type.String());
const Manifest = Type.Object({
  scripts: Names,
  preload: Names,
  /** Further files of each screen, by language. Paths have placeholders such as `$tenant`. */
  screens: Type.Array(Type.Object({ path: Type.String(), preload: Type.Object({ en: Names, de: Names }) })),
  styles: Names,
  signIn: Type.Object({ styles: Names }),
  fonts: Names,
  frame: Type.String(),
});

/** The files that a page of the console loads, by their use. The build writes this manifest. */
export type Manifest = Static<typeof Manifest>;

/** Returns the files that the screen at a path below `/console/` needs besides those of every page. */
export function preloadsOf(
  { screens }: Manifest,
  path: string,
  language: AccountLanguage,
): readonly string[] {
  const parts = path.split('/').filter((part) => part !== '');
  const screen = screens.find((each) => {
    const pattern = each.path.split('/').filter((part) => part !== '');
    return (
      pattern.length === parts.length &&
      pattern.every((part, index) => part.startsWith('$') || part === parts[index])
    );
  });
  return screen?.preload[language] ?? [];
}

/** The built console. */
export interface ConsoleFiles {
  readonly manifest: Manifest;
  /** Returns the file with this name; null if it does not exist. */
  read(name: string): Promise<StaticFile | null>;
}

/** Content types of files with compressed copies, by extension. */
const TEXTS: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};
/** Content types of all other files, by extension. */
const OTHERS: Readonly<Record<string, string>> = {
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
};

/**
 * Returns a function that returns the built console, or null if it was not built. A later build replaces the files
 * without a restart.
 */
export function watchConsoleFiles(folder: URL = DIST): () => Promise<ConsoleFiles | null> {
  let last: { readonly modifiedMs: number; readonly files: Promise<ConsoleFiles> } | undefined;
  return async () => {
    const found = await stat(new URL('manifest.json', folder)).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return null;
      throw error;
    });
    if (found === null) return null;
    if (last?.modifiedMs !== found.mtimeMs)
      last = { modifiedMs: found.mtimeMs, files: readConsoleFiles(folder) };
    return last.files;
  };
}

/** Reads the manifest and the names of all files. @throws Error if the manifest is invalid. */
async function readConsoleFiles(folder: URL): Promise<ConsoleFiles> {
  const manifest = Value.Parse(
    Manifest,
    JSON.parse(await readFile(new URL('manifest.json', folder), 'utf8')),
  );
  const assets = new URL('assets/', folder);
  const names = new Set(await readdir(assets));
  const files = new Map<string, Promise<StaticFile>>();
  return {
    manifest,
    read: async (name) => {
      const type = TEXTS[extname(name)] ?? OTHERS[extname(name)];
      if (type === undefined || !names.has(name)) return null;
      const cached = files.get(name);
      if (cached !== undefined) return cached;
      const file = readAsset(assets, name, type);
      files.set(name, file);
      return file;
    },
  };
}

async function readAsset(folder: URL, name: string, type: string): Promise<StaticFile> {
  if (TEXTS[extname(name)] !== undefined) return readBuiltAsset(name, type, folder);
  return compressFile(type, await readFile(new URL(name, folder)));
}

/** Returns the function of a process that returns the built console, or null if it was not built. */
export const consoleFiles = oncePerPlatform(() => watchConsoleFiles());
