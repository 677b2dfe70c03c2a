/** Messages between the runner and its worker processes. */

/** To a worker: run this file next, or end if there is none. */
export interface Assignment {
  readonly file: string | null;
}

/** From a worker, in the order in which things happen. */
export type Report =
  | { readonly type: 'ready' }
  | { readonly type: 'started'; readonly test: string }
  | { readonly type: 'ended'; readonly result: TestResult }
  | {
      readonly type: 'file-ended';
      readonly file: string;
      readonly error: string | null;
      readonly cpuMs: number;
    };

/** A test that has ended; suites are reported only when they fail by themselves or are skipped. */
export interface TestResult {
  /** The names of its suites and its own. */
  readonly test: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** The error with its stack; null if the test passed. */
  readonly error: string | null;
}
