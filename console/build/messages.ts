/** Compiles the catalogs of texts, so that the browser needs no parser of ICU messages. */
import { readFile } from 'node:fs/promises';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import type { Plugin } from 'esbuild';

/**
 * Loads `texts.<locale>.json` as compiled messages by key. @throws Error naming the file and key of a faulty message.
 */
export const compiledMessages: Plugin = {
  name: 'compiled-messages',
  setup(bundle) {
    bundle.onLoad({ filter: /[/\\]texts\.[a-z]{2}\.json$/ }, async ({ path }) => {
      const catalog: Readonly<Record<string, string>> = JSON.parse(await readFile(path, 'utf8'));
      const compiled = Object.entries(catalog).map(([key, message]) => [key, compile(path, key, message)]);
      return { contents: `export default ${JSON.stringify(Object.fromEntries(compiled))}`, loader: 'js' };
    });
  },
};

function compile(path: string, key: string, message: string): ReturnType<typeof compileMessage> {
  try {
    return compileMessage(message);
  } catch (cause) {
    throw new Error(`${path}: "${key}" is not a valid ICU message`, { cause });
  }
}
