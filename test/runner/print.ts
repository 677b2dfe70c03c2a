/** Prints the progress and the summary of a test run. */
import { stdout } from 'node:process';
import type { RunResult, UnsteadyFile } from './run-files.ts';
import { hasFailed } from './run-files.ts';
import type { FileResult } from './worker-process.ts';

/** Number of slowest files that the summary lists. */
const SLOWEST = 10;

/** Prints a line for a file that has ended, and the errors of its failed tests. */
export function printFile(result: FileResult, isSecond: boolean): void {
  const { file, tests, durationMs } = result;
  const mark = hasFailed(result) ? '✖' : '✔';
  const again = isSecond ? ' (second try)' : '';
  print(
    `${mark} ${file}${again}  ${tests.length} tests, ${seconds(durationMs)}, processor ${seconds(result.cpuMs)}`,
  );
  for (const { test, error } of failuresOf(result)) print(indent(`✖ ${test}\n${indent(error)}`));
}

/**
 * Prints the summary. The unsteady files are the last thing before the closing line, which reads
 * `N passed, N failed, N skipped`; a file that failed apart from its tests counts as one failed test.
 */
export function printSummary(result: RunResult, wallMs: number): void {
  const final = [...result.passed, ...result.unsteady.map(({ second }) => second), ...result.failed];
  printSlowest(final);
  if (result.failed.length > 0)
    print(`\nFailed twice:\n${indent(result.failed.map(({ file }) => file).join('\n'))}`);
  if (result.unsteady.length > 0)
    print(`\nUnsteady (failed once, passed alone):\n${result.unsteady.map(describeUnsteady).join('\n')}`);
  const outcomes = final.flatMap(({ tests }) => tests.map(({ outcome }) => outcome));
  const count = (kind: string) => outcomes.filter((outcome) => outcome === kind).length;
  const brokenFiles = final.filter(({ error }) => error !== null).length;
  print(`\n${final.length} files in ${seconds(wallMs)}`);
  print(`${count('passed')} passed, ${count('failed') + brokenFiles} failed, ${count('skipped')} skipped`);
}

function printSlowest(results: readonly FileResult[]): void {
  const slowest = results.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, SLOWEST);
  print('\nSlowest files (time, processor time of the worker):');
  for (const { file, durationMs, cpuMs } of slowest)
    print(indent(`${seconds(durationMs).padStart(8)} ${seconds(cpuMs).padStart(8)}  ${file}`));
}

function describeUnsteady({ first }: UnsteadyFile): string {
  const failures = failuresOf(first).map(({ test, error }) => `${test}: ${error.split('\n')[0]}`);
  return indent(`${first.file}\n${indent(failures.join('\n'))}`);
}

function failuresOf({ tests, error }: FileResult): { readonly test: string; readonly error: string }[] {
  const ofTests = tests.flatMap(({ test, error }) => (error === null ? [] : [{ test, error }]));
  return error === null ? ofTests : [...ofTests, { test: 'the file', error }];
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function print(text: string): void {
  stdout.write(`${text}\n`);
}
