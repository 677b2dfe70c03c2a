/** Loads the program once, with the flags that `serve` runs with, so that the first start finds its code compiled: a part of `npm ci`. */
import { execFileSync } from 'node:child_process';
import { HEAP_FLAGS } from '../src/process-memory.ts';

// The engine takes what was compiled only under the same flags.
execFileSync(process.execPath, ['--no-warnings', ...Object.values(HEAP_FLAGS), 'src/main.ts', '--version'], {
  stdio: 'inherit',
});
