import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** One file that visitors' browsers load, ready to be sent in any of three encodings. */
export interface EmbedAsset {
  readonly body: Buffer;
  readonly gzip: Buffer;
  readonly brotli: Buffer;
  readonly contentType: string;
  /** Weak (RFC 9110, section 8.8.1), because all three encodings share it. */
  readonly etag: string;
}

const contentTypes: Readonly<Record<string, string>> = {
  'embed-page.js': 'text/javascript; charset=utf-8',
  'embed-page.css': 'text/css; charset=utf-8',
  'embed.js': 'text/javascript; charset=utf-8',
};

const builtFiles = new URL('../../../web/dist/', import.meta.url);

async function readBuiltFile(folder: URL, name: string): Promise<Buffer> {
  try {
    return await readFile(new URL(name, folder));
  } catch (cause) {
    throw new Error(`The browser file ${name} is missing: run npm run build:web.`, { cause });
  }
}

/**
 * Reads the built browser files (`embed-page.js`, `embed-page.css`, `embed.js`) by name.
 *
 * @param folder where they were built, with a trailing slash; the project's `web/dist/` by default
 * @throws Error that names the command to run, when one of them was not built
 */
export async function loadEmbedAssets(folder: URL = builtFiles): Promise<Map<string, EmbedAsset>> {
  const assets = Object.entries(contentTypes).map(
    async ([name, contentType]): Promise<[string, EmbedAsset]> => {
      const [body, gzip, brotli] = await Promise.all([
        readBuiltFile(folder, name),
        readBuiltFile(folder, `${name}.gz`),
        readBuiltFile(folder, `${name}.br`),
      ]);
      const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22);
      return [name, { body, gzip, brotli, contentType, etag: `W/"${digest}"` }];
    },
  );
  return new Map(await Promise.all(assets));
}
