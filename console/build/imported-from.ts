import type { Metafile } from 'esbuild';

/**
 * Returns source files with all that they import, directly or not, except on demand. Only files that `isFollowed`
 * accepts are added.
 */
export function importedFrom(
  inputs: Metafile['inputs'],
  files: readonly string[],
  isFollowed: (file: string) => boolean = () => true,
): Set<string> {
  const found = new Set(files);
  for (const file of found)
    for (const { path, kind } of inputs[file]?.imports ?? [])
      if (kind === 'import-statement' && path in inputs && isFollowed(path)) found.add(path);
  return found;
}
