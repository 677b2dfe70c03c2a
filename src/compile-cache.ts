/**
 * Node keeps what it has compiled on disk: loading the code is most of a start. `npm ci` fills the cache. Where the folder cannot
 * be written to, as in the container image, Node compiles as usual.
 */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/** The cache, which goes with the installed packages. */
export const COMPILE_CACHE = join(import.meta.dirname, '../node_modules/.cache/node');

enableCompileCache(COMPILE_CACHE);
