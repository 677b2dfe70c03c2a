/**
 * Resolves an import of one name from `@internationalized/number` to the file of that name. esbuild assigns whole files
 * to chunks: through the package's index, the first screen would get the parser together with the formatter.
 */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';

const PACKAGE = '@internationalized/number';
const SINGLE_IMPORT = new RegExp(`import \\{(\\w+) as [\\w$]+\\} from "${PACKAGE}"`);
/** Marks the resolution of the index itself, which esbuild does. */
const INDEX = 'index';

/** Lets a chunk contain one export of a package without the others. */
export const singleImports: Plugin = {
  name: 'single-imports',
  setup(bundle) {
    bundle.onResolve({ filter: new RegExp(`^${PACKAGE}$`) }, async ({ path, pluginData, ...options }) => {
      if (pluginData === INDEX) return null;
      const [, name] = SINGLE_IMPORT.exec(await readFile(options.importer, 'utf8')) ?? [];
      if (name === undefined) return null;
      const index = await bundle.resolve(path, { ...options, pluginData: INDEX });
      return { path: join(dirname(index.path), 'private', `${name}.mjs`), sideEffects: false };
    });
  },
};
