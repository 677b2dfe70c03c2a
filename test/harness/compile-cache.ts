/** Loaded before every test file: the files share what Node has compiled, which is a third of a file's start. */
export { COMPILE_CACHE } from '../../src/compile-cache.ts';
