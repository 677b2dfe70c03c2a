/** Leaves out React Aria's texts of languages that the console does not have: they are 30 of 32. */
import { basename } from 'node:path';
import type { Plugin } from 'esbuild';
import { LOCALES } from '../texts/locales.ts';

/** Replaces a file such as `../intl/color/ar-AE.mjs` by an empty one. */
export const onlyOurLocales: Plugin = {
  name: 'only-our-locales',
  setup(bundle) {
    bundle.onResolve({ filter: /\/[a-z]{2}-[A-Z]{2}\.m?js$/ }, ({ path, importer }) => {
      if (!/[/\\]react-(aria|stately)/.test(importer)) return null;
      const isOurs = LOCALES.some((locale) => basename(path).startsWith(`${locale}-`));
      return isOurs ? null : { path, namespace: 'no-texts' };
    });
    bundle.onLoad({ filter: /.*/, namespace: 'no-texts' }, () => ({ contents: 'export default {};' }));
  },
};
