/** Excludes React Aria's texts in languages that the console does not have: 30 of 32. */
import { basename } from 'node:path';
import type { Plugin } from 'esbuild';
import { LOCALES } from '../texts/locales.ts';

/** Replaces files of other languages, such as `../intl/color/ar-AE.mjs`, with an empty one. */
export const onlyConsoleLocales: Plugin = {
  name: 'only-console-locales',
  setup(bundle) {
    bundle.onResolve({ filter: /\/[a-z]{2}-[A-Z]{2}\.m?js$/ }, ({ path, importer }) => {
      if (!/[/\\]react-(aria|stately)/.test(importer)) return null;
      const isOurs = LOCALES.some((locale) => basename(path).startsWith(`${locale}-`));
      return isOurs ? null : { path, namespace: 'no-texts' };
    });
    bundle.onLoad({ filter: /.*/, namespace: 'no-texts' }, () => ({ contents: 'export default {};' }));
  },
};
