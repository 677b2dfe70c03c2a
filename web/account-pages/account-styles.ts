/**
 * The style sheet of the pages about accounts: the console's tokens without its fonts, which are too large for them.
 */
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import postcss from 'postcss';

/** Leaves the fonts of the console out of the style sheets that are imported. */
export const withoutFonts: Plugin = {
  name: 'without-fonts',
  setup(bundle) {
    bundle.onLoad({ filter: /[\\/]tokens\.css$/ }, async ({ path }) => {
      const sheet = postcss.parse(await readFile(path, 'utf8'));
      sheet.walkAtRules('font-face', (rule) => {
        rule.remove();
      });
      return { contents: sheet.toString(), loader: 'css' };
    });
  },
};
