/**
 * Joins the many small scripts that esbuild writes: it makes one chunk for each set of entry points that share code, so
 * that a screen would load about a hundred files. Each file takes a phone time, however small it is.
 */
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Metafile } from 'esbuild';
import { type OutputChunk, rolldown } from 'rolldown';
import { importedFrom } from './imported-from.ts';

/** The scripts of the console. */
export interface Scripts {
  /** Returns the files that an entry point needs before it can run: its own, then its static imports. */
  filesOf(entry: string): readonly string[];
}

/** A file with code that entry points share. */
export interface SharedFile {
  readonly name: string;
  /** Source files that it contains, with all that they import; without entry points. */
  readonly sources: readonly string[];
}

/** Scripts of esbuild, and how to join them. */
export interface JoinOptions {
  /** Absolute path of the folder with the scripts. */
  readonly folder: string;
  readonly metafile: Metafile;
  /** The entry point that loads all others on demand. */
  readonly main: string;
  /** Files to make. A chunk that fits several belongs to the first. */
  readonly shared: readonly SharedFile[];
}

/** Replaces the scripts of a folder with fewer ones. What is loaded on demand keeps a file of its own. */
export async function joinScripts(options: JoinOptions): Promise<Scripts> {
  const { folder, metafile, main, shared } = options;
  const fileOfChunk = assignChunks(options);
  const bundle = await rolldown({
    input: join(folder, basename(outputOf(metafile, main))),
    // Files export only the names that others import.
    preserveEntrySignatures: false,
  });
  const { output } = await bundle.write({
    dir: folder,
    entryFileNames: nameFile,
    chunkFileNames: nameFile,
    hashCharacters: 'base36',
    minify: true,
    codeSplitting: {
      groups: shared.map(({ name }, index) => ({
        name,
        test: (path) => fileOfChunk.get(basename(path)) === name,
        // A group takes along what its chunks import, unless a group with a higher priority has it.
        priority: shared.length - index,
      })),
    },
  });
  await bundle.close();
  const scripts = output.filter((each) => each.type === 'chunk');
  await removeOthers(options, new Set(scripts.map(({ fileName }) => fileName)));
  return { filesOf: (entry) => withImports(scripts, basename(outputOf(metafile, entry))) };
}

/** Names a file after what it contains, without the hash of esbuild. */
function nameFile({ name }: { readonly name: string }): string {
  return `${name.replace(/-[A-Z0-9]{8}$/, '')}-[hash].js`;
}

/** Returns the shared file that each chunk belongs to, by the chunk's name. */
function assignChunks({ metafile: { inputs, outputs }, shared }: JoinOptions): Map<string, string> {
  const chunks = Object.entries(outputs).filter(([, { entryPoint }]) => entryPoint === undefined);
  const assigned = new Map<string, string>();
  for (const { name, sources } of shared) {
    const imported = importedFrom(inputs, sources);
    for (const [file, chunk] of chunks)
      if (!assigned.has(basename(file)) && Object.keys(chunk.inputs).some((input) => imported.has(input)))
        assigned.set(basename(file), name);
  }
  return assigned;
}

/** Returns the file that esbuild wrote for an entry point. @throws Error if there is none. */
function outputOf({ outputs }: Pick<Metafile, 'outputs'>, entry: string): string {
  const found = Object.keys(outputs).find((file) => outputs[file]?.entryPoint === entry);
  if (found === undefined) throw new Error(`esbuild wrote no file for ${entry}`);
  return found;
}

async function removeOthers({ folder, metafile }: JoinOptions, kept: ReadonlySet<string>): Promise<void> {
  const written = Object.keys(metafile.outputs).map((file) => basename(file));
  for (const name of written.filter((each) => each.endsWith('.js') && !kept.has(each)))
    await rm(join(folder, name));
}

/** Returns the file that contains what esbuild wrote as `name`, followed by the files that it imports. */
function withImports(scripts: readonly OutputChunk[], name: string): string[] {
  const start = scripts.find(({ moduleIds }) => moduleIds.some((path) => basename(path) === name));
  if (start === undefined) throw new Error(`No script contains ${name}`);
  const found = new Set([start.fileName]);
  for (const file of found)
    for (const path of scripts.find(({ fileName }) => fileName === file)?.imports ?? []) found.add(path);
  return [...found];
}
