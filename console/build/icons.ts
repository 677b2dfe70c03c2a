/** Provides the icons that the console uses, from Lucide. */
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import { ICON_NAMES } from '../ui/icon-names.ts';

const SOURCE = new URL('../../node_modules/lucide-static/icon-nodes.json', import.meta.url);

/**
 * Resolves `virtual:icons` to the shapes of {@link ICON_NAMES}. @throws Error naming an icon that Lucide does not have.
 */
export const icons: Plugin = {
  name: 'icons',
  setup(bundle) {
    bundle.onResolve({ filter: /^virtual:icons$/ }, ({ path }) => ({ path, namespace: 'icons' }));
    bundle.onLoad({ filter: /.*/, namespace: 'icons' }, async () => ({
      contents: JSON.stringify(await readIcons()),
      loader: 'json',
    }));
  },
};

async function readIcons(): Promise<Record<string, unknown>> {
  const all: Readonly<Record<string, unknown>> = JSON.parse(await readFile(SOURCE, 'utf8'));
  return Object.fromEntries(
    ICON_NAMES.map((name) => {
      const shapes = all[name];
      if (shapes === undefined) throw new Error(`Lucide has no icon "${name}"`);
      return [name, shapes];
    }),
  );
}
