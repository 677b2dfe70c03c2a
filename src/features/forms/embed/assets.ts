import { readdir } from 'node:fs/promises';
import { extname } from 'node:path';
import { BUILT_FILES, missingFile, readBuiltAsset } from '../../../http/built-files.ts';
import type { StaticFile } from '../../../http/static-file.ts';

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** Files without which form pages or embedded forms do not work. Translations of SurveyJS are optional. */
const required = [
  'embed-page.js',
  'embed-page.css',
  'plain-form.js',
  'plain-form.css',
  'sanitize-html.js',
  'embed-absent.js',
  'embed.js',
];

async function readAsset(folder: URL, name: string): Promise<[string, StaticFile]> {
  const contentType = contentTypes[extname(name)] ?? 'application/octet-stream';
  return [name, await readBuiltAsset(name, contentType, folder)];
}

/**
 * Reads all scripts and style sheets of the build by name, among them a `locale-….js` for each translation of SurveyJS.
 * @param folder output folder of the build, with a trailing slash; the project's `web/dist/` by default
 * @throws Error naming the command to run if a required file is missing.
 */
export async function loadEmbedAssets(folder: URL = BUILT_FILES): Promise<Map<string, StaticFile>> {
  const found = await readdir(folder).catch((): string[] => []);
  const missing = required.find((name) => !found.includes(name));
  if (missing !== undefined) throw missingFile(missing);
  const names = found.filter((name) => extname(name) in contentTypes).sort();
  return new Map(await Promise.all(names.map((name) => readAsset(folder, name))));
}

/** Returns the SurveyJS locales that have a built translation file, such as `pt-br`. */
export function localesOf(assets: ReadonlyMap<string, StaticFile>): ReadonlySet<string> {
  const names = [...assets.keys()].map((name) => /^locale-(.+)\.js$/.exec(name)?.[1]);
  return new Set(names.filter((name) => name !== undefined));
}
