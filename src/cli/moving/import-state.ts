/** Progress of an import in a file, so that a repeated command continues where the last one stopped. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import Type, { type Static } from 'typebox';
import Value from 'typebox/value';
import { parseJson } from './target.ts';

const Content = Type.Object({
  source: Type.String(),
  target: Type.String(),
  done: Type.Record(Type.String(), Type.String()),
});
type Content = Static<typeof Content>;

/** Ids in Tessera by the key of the imported record. */
export interface ImportState {
  get(key: string): string | undefined;
  /** Stores an id. It is on disk when the promise resolves. */
  set(key: string, id: string): Promise<void>;
}

/**
 * Reads the state of an import; a missing file is an empty state.
 * @throws Error if the file is not a state, or belongs to another source or installation.
 */
export async function openState(file: string, source: string, target: string): Promise<ImportState> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new Error(`${file} cannot be read: ${error.message}`, { cause: error });
  });
  const content: unknown = text === null ? { source, target, done: {} } : parseJson(text);
  if (!Value.Check(Content, content)) throw new Error(`${file} is not the state of an import (--state FILE)`);
  if (content.source !== source || content.target !== target)
    throw new Error(
      `${file} belongs to ${content.source} and ${content.target}; choose another --state FILE`,
    );
  const done = new Map(Object.entries(content.done));
  return {
    get: (key) => done.get(key),
    set: async (key, id) => {
      done.set(key, id);
      const written: Content = { source, target, done: Object.fromEntries(done) };
      await writeFile(`${file}.new`, JSON.stringify(written));
      await rename(`${file}.new`, file);
    },
  };
}
