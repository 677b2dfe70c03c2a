/** Provides what forms know of the operations of the API. */
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import { type Document, readOperation } from './operation-schema.ts';

const SOURCE = new URL('../../openapi.json', import.meta.url);
const PREFIX = /^operation:/;

/** Resolves `operation:api_keys.create` to the operation with that id. @throws Error naming an unknown operation. */
export const operations: Plugin = {
  name: 'operations',
  async setup(bundle) {
    const document: Document = JSON.parse(await readFile(SOURCE, 'utf8'));
    bundle.onResolve({ filter: PREFIX }, ({ path }) => ({
      path: path.replace(PREFIX, ''),
      namespace: 'operations',
    }));
    bundle.onLoad({ filter: /.*/, namespace: 'operations' }, ({ path }) => ({
      contents: JSON.stringify(readOperation(document, path)),
      loader: 'json',
    }));
  },
};
