/** Runs test files in several processes, and failed ones a second time. */
import { type FileResult, type WorkerOptions, WorkerProcess } from './worker-process.ts';

/** Options of a run. */
export interface RunOptions extends WorkerOptions {
  /** Number of processes that share the files. */
  readonly workers: number;
  /** Called when a file ends; `isSecond` is true if it had failed before. */
  readonly onResult: (result: FileResult, isSecond: boolean) => void;
}

/** A file that failed once and passed when it ran alone. */
export interface UnsteadyFile {
  readonly first: FileResult;
  readonly second: FileResult;
}

/** Results of a run, with each file in one of the lists. */
export interface RunResult {
  readonly passed: readonly FileResult[];
  readonly unsteady: readonly UnsteadyFile[];
  /** Files that failed twice: their second results. */
  readonly failed: readonly FileResult[];
}

/** Runs all files, then those that failed once more, each alone in a new process. */
export async function runFiles(files: readonly string[], options: RunOptions): Promise<RunResult> {
  const results = await runShared(files, options);
  const passed = results.filter((result) => !hasFailed(result));
  const unsteady: UnsteadyFile[] = [];
  const failed: FileResult[] = [];
  for (const first of results.filter(hasFailed)) {
    const [second] = await runShared([first.file], { ...options, workers: 1 }, true);
    if (second === undefined || hasFailed(second)) failed.push(second ?? first);
    else unsteady.push({ first, second });
  }
  return { passed, unsteady, failed };
}

/** Returns true if a test of the file failed, or the file itself did. */
export function hasFailed({ tests, error }: FileResult): boolean {
  return error !== null || tests.some(({ outcome }) => outcome === 'failed');
}

/** Each process takes the next file as soon as it is free, so the files should be ordered longest first. */
async function runShared(
  files: readonly string[],
  { workers, onResult, ...worker }: RunOptions,
  isSecond = false,
): Promise<FileResult[]> {
  const waiting = [...files];
  const results: FileResult[] = [];
  const work = async () => {
    let process = new WorkerProcess(worker);
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      if (process.hasExited) process = new WorkerProcess(worker);
      const result = await process.run(file);
      results.push(result);
      onResult(result, isSecond);
    }
    await process.end();
  };
  await Promise.all(Array.from({ length: Math.min(workers, files.length) }, work));
  return results;
}
