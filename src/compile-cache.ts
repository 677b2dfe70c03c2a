/**
 * Cache of compiled code on disk: loading the code is most of a start. `npm ci` fills the cache. If the folder is not
 * writable, as in the container image, Node compiles as usual.
 */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/** Folder of the cache, next to the installed packages. */
export const COMPILE_CACHE = join(import.meta.dirname, '../node_modules/.cache/node');

enableCompileCache(COMPILE_CACHE);
