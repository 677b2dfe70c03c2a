/**
 * Memory settings of a serving process (docs/decisions/0019-freed-memory-goes-back.md). The C library and the engine read
 * them before any of our code runs, so the process replaces itself with the same process id and standard streams. Only on
 * Linux.
 */
import process from 'node:process';

/**
 * Threshold in bytes from which glibc returns freed memory to the system. The default is the same, but adaptive: the first
 * large freed buffer raises it, up to 64 MiB per heap, and an idle process kept about 100 MiB. A value that is set does
 * not change.
 */
const TRIM_THRESHOLD = '131072';
/**
 * Heap flags of the engine by a word that an operator's own flag also contains. A small young generation collects garbage
 * of requests early; by default 200 MiB accumulate under load. The old generation may grow by 40 % of its live data
 * before a collection, instead of to four times that.
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
const isConfigured = missing.length === 0 && process.env.MALLOC_TRIM_THRESHOLD_ !== undefined;
// `node --watch` uses a channel to its child, which a replaced process would lose.
if (argv[2] === 'serve' && !isConfigured && process.platform === 'linux' && process.channel === undefined)
  process.execve?.(execPath, [execPath, ...missing, ...execArgv, ...argv.slice(1)], {
    MALLOC_TRIM_THRESHOLD_: TRIM_THRESHOLD,
    ...process.env,
  });
