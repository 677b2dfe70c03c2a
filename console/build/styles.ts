/** Collects the style sheets of all components: esbuild would not load those of scripts that are loaded on demand. */
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

const CONSOLE = join(import.meta.dirname, '..');

/** Resolves `virtual:styles` to all CSS modules of the console. */
export const allStyles: Plugin = {
  name: 'all-styles',
  setup(bundle) {
    bundle.onResolve({ filter: /^virtual:styles$/ }, ({ path }) => ({ path, namespace: 'styles' }));
    bundle.onLoad({ filter: /.*/, namespace: 'styles' }, async () => ({
      contents: (await listSheets()).map((path) => `@import ${JSON.stringify(`./${path}`)};`).join('\n'),
      loader: 'css',
      resolveDir: CONSOLE,
    }));
  },
};

async function listSheets(): Promise<string[]> {
  const sheets: string[] = [];
  for await (const path of glob('**/*.module.css', { cwd: CONSOLE })) sheets.push(path);
  return sheets.sort();
}
