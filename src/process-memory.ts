/**
 * How a process that serves holds memory (docs/decisions/0019-freed-memory-goes-back.md). C library and engine read it before
 * any code of ours runs, so the process replaces itself by one that has it: same process id, same standard streams. Elsewhere
 * nothing happens.
 */
import process from 'node:process';

/**
 * Freed memory goes back to the system. The GNU C library begins so, but the first large buffer that is freed raises the
 * threshold from which it gives memory back, up to 64 MiB for each of its heaps: an idle process kept about 100 MiB that
 * nothing used. Octets, glibc's own default; once it is given, it stays.
 */
const TRIM_THRESHOLD = '131072';
/**
 * How the engine sizes its heap, by the word that a flag of the operator's has too. What requests leave behind is collected
 * early: by the engine's own size of this space 200 MiB gather under load. And the old space may grow by this part of what
 * lives in it before it is collected, not to four times that.
 */
export const HEAP_FLAGS = {
  'semi-space-size': '--max-semi-space-size=8',
  'heap-growing': '--heap-growing-percent=40',
};

const { argv, execArgv, execPath } = process;
const given = [...execArgv, process.env.NODE_OPTIONS ?? ''];
const missing = Object.entries(HEAP_FLAGS).flatMap(([word, flag]) =>
  given.some((flags) => flags.includes(word)) ? [] : [flag],
);
const isTold = missing.length === 0 && process.env.MALLOC_TRIM_THRESHOLD_ !== undefined;
// `node --watch` speaks with its child over a channel that a replaced process would not have.
if (argv[2] === 'serve' && !isTold && process.platform === 'linux' && process.channel === undefined)
  process.execve?.(execPath, [execPath, ...missing, ...execArgv, ...argv.slice(1)], {
    MALLOC_TRIM_THRESHOLD_: TRIM_THRESHOLD,
    ...process.env,
  });
