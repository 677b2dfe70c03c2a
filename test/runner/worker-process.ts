/** The runner's side of a worker process: assigns it one file at a time, and kills it when a test hangs. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Report, TestResult } from './messages.ts';

/** Result of a test file. */
export interface FileResult {
  readonly file: string;
  readonly tests: readonly TestResult[];
  /**
   * Error of the file itself: it could not be loaded, hung, or ended its process. Null if only tests failed, or none.
   */
  readonly error: string | null;
  readonly durationMs: number;
  /** Processor time of the worker itself, without the processes that its tests start. */
  readonly cpuMs: number;
}

/** Maximum time that a worker takes to end after its last file, in ms. */
const EXIT_LIMIT_MS = 60_000;
const FOLDER = import.meta.dirname;

interface Running {
  readonly file: string;
  readonly tests: TestResult[];
  readonly startedAt: number;
  /** The test that runs now. */
  test: string | null;
  timer: NodeJS.Timeout;
  readonly resolve: (result: FileResult) => void;
}

/** Options of a worker process. */
export interface WorkerOptions {
  /** If true, `startTestApp()` without an environment returns the same app to all files. */
  readonly sharesApp: boolean;
  /** Names of the features whose routes contract tests call; null for all. */
  readonly features: readonly string[] | null;
  /** Maximum time of a test, in ms; after that its process is killed. */
  readonly testLimitMs: number;
}

/** Processes that a killed runner must not leave behind. */
const alive = new Set<WorkerProcess>();

/** Kills all worker processes and the processes that their tests have started. */
export function killWorkers(): void {
  for (const worker of alive) worker.kill();
}

/** One process with the tests' code loaded. */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #ready: Promise<void>;
  readonly #exited: Promise<void>;
  readonly #testLimitMs: number;
  #running: Running | null = null;
  /** True if the process has ended or was killed, so it cannot run another file. */
  hasExited = false;

  /** Starts a process. */
  constructor({ sharesApp, features, testLimitMs }: WorkerOptions) {
    this.#testLimitMs = testLimitMs;
    this.#child = spawn(
      process.execPath,
      [
        '--no-warnings',
        `--import=${join(FOLDER, '../harness/compile-cache.ts')}`,
        `--test-reporter=${join(FOLDER, 'reporter.ts')}`,
        '--test-reporter-destination=stdout',
        join(FOLDER, 'worker.ts'),
      ],
      {
        // A process group of its own, so that processes that its tests start can be killed with it.
        detached: true,
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        env: {
          ...process.env,
          TESSERA_TEST_SHARED_APP: sharesApp ? 'yes' : 'no',
          ...(features && { TESSERA_TEST_FEATURES: features.join(',') }),
        },
      },
    );
    alive.add(this);
    const ready = Promise.withResolvers<void>();
    this.#ready = ready.promise;
    this.#exited = new Promise((resolve) => {
      this.#child.once('exit', (code, signal) => {
        alive.delete(this);
        this.hasExited = true;
        ready.resolve();
        this.#finish(`The worker process ended with ${signal ?? `exit code ${code}`}.`);
        resolve();
      });
    });
    this.#child.on('message', (report: Report) => {
      if (report.type === 'ready') ready.resolve();
      else this.#receive(report);
    });
  }

  /** Runs a test file. Never rejects: the result contains all errors. */
  async run(file: string): Promise<FileResult> {
    await this.#ready;
    return new Promise((resolve) => {
      this.#running = {
        file,
        tests: [],
        startedAt: performance.now(),
        test: null,
        timer: this.#watch(),
        resolve,
      };
      if (this.hasExited) this.#finish('The worker process ended before it ran the file.');
      else this.#child.send({ file });
    });
  }

  /** Ends the process after its last file; kills it if something keeps it running. */
  async end(): Promise<void> {
    if (this.hasExited) return;
    this.#child.send({ file: null });
    const timer = setTimeout(() => this.kill(), EXIT_LIMIT_MS);
    await this.#exited;
    clearTimeout(timer);
  }

  /** Kills the process and the processes that its tests have started. */
  kill(): void {
    this.hasExited = true;
    try {
      process.kill(-(this.#child.pid ?? 0), 'SIGKILL');
    } catch {
      // The whole group has ended already.
    }
  }

  #receive(report: Exclude<Report, { type: 'ready' }>): void {
    const running = this.#running;
    if (running === null) return;
    clearTimeout(running.timer);
    running.timer = this.#watch();
    if (report.type === 'started') running.test = report.test;
    else if (report.type === 'ended') running.tests.push(report.result);
    else if (report.file === running.file) this.#finish(report.error, report.cpuMs);
  }

  #watch(): NodeJS.Timeout {
    return setTimeout(() => {
      const test = this.#running?.test ?? 'loading the file';
      this.#finish(`Hung: "${test}" did not end within ${this.#testLimitMs / 1000} s, so it was killed.`);
      this.kill();
    }, this.#testLimitMs);
  }

  #finish(error: string | null, cpuMs = 0): void {
    const running = this.#running;
    if (running === null) return;
    this.#running = null;
    clearTimeout(running.timer);
    const { file, tests, startedAt, resolve } = running;
    resolve({ file, tests, error, durationMs: performance.now() - startedAt, cpuMs });
  }
}
