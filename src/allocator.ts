/**
 * Memory that was freed goes back to the system (docs/decisions/0019-freed-memory-goes-back.md). The GNU C library begins
 * so, but the first large buffer that is freed raises the threshold from which it gives memory back, up to 64 MiB for each
 * of its heaps: an idle process kept about 100 MiB that nothing used. It reads the variable before any code of ours runs, so
 * the process replaces itself by one that has it: same process id, same standard streams. Elsewhere nothing happens.
 */
import process from 'node:process';

/** glibc's own default, octets; once it is given, it stays. */
const TRIM_THRESHOLD = '131072';

const isServing = process.argv[2] === 'serve';
const isSet = process.env.MALLOC_TRIM_THRESHOLD_ !== undefined;
// `node --watch` speaks with its child over a channel that a replaced process would not have.
if (isServing && !isSet && process.platform === 'linux' && process.channel === undefined)
  process.execve?.(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
    ...process.env,
    MALLOC_TRIM_THRESHOLD_: TRIM_THRESHOLD,
  });
