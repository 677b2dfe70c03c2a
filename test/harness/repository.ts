import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** Root folder of the repository. */
export const ROOT = join(import.meta.dirname, '../..');

/**
 * Lists the files below `folder` whose names end in `ending`, except built files and packages. All paths are relative
 * to the root.
 */
export async function listFiles(folder: string, ending: string): Promise<string[]> {
  const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !/\/(?:dist|node_modules)\//.test(path))
    .sort();
}

/** Texts by path: no test changes a file of the repository, and rules over all files read each of them many times. */
const texts = new Map<string, Promise<string>>();

/** Returns the text of a file of the repository. */
export function readText(path: string): Promise<string> {
  const text = texts.get(path) ?? readFile(join(ROOT, path), 'utf8');
  texts.set(path, text);
  return text;
}

/** Lists the documentation pages: those in the root folder, and everything in docs/. */
export async function listPages(): Promise<string[]> {
  const top = (await readdir(ROOT)).filter((name) => name.endsWith('.md')).sort();
  return [...top, ...(await listFiles('docs', '.md'))];
}
