import type { Issue } from '../errors/app-error.ts';
import type { Platform } from '../platform.ts';
import { compileCost, compileLinearRegex } from './linear-regex.ts';
import { InlineSteps } from './pattern-matches.ts';
import { matchInThread, type PatternResult, type PatternTask } from './pattern-thread.ts';

/** A pattern in a definition that is to be saved. */
export interface TenantPattern {
  readonly field: string;
  readonly pattern: string;
  readonly ignoreCase: boolean;
  /** The fault of a pattern that cannot be compiled. */
  readonly malformed: string;
  /** Values of the definition itself, which must match. */
  readonly values?: readonly { readonly field: string; readonly text: string; readonly message: string }[];
}

/**
 * Sum of the program sizes of all patterns of one definition: a typical one, for an email address or a phone number,
 * has 10 to 200.
 */
const MAX_SIZE = 50_000;

/**
 * Returns the faults of a definition's patterns: malformed or too large ones, and values that do not match. Expensive
 * patterns are compiled in the worker thread.
 * @throws AppError RATE_LIMITED when too many requests wait for the thread.
 */
export async function findPatternFaults(
  platform: Platform,
  tenantId: string,
  patterns: readonly TenantPattern[],
): Promise<Issue[]> {
  const tasks = patterns.map(({ pattern, ignoreCase, values = [] }) => ({
    ...{ pattern, ignoreCase, texts: values.map(({ text }) => text) },
  }));
  const results = runInline(tasks) ?? (await matchInThread(platform, tenantId, tasks)).results;
  const issues: Issue[] = [];
  let left = MAX_SIZE;
  for (const [index, { field, malformed, values = [] }] of patterns.entries()) {
    const { size, matches } = results[index] ?? { size: null, matches: null };
    if (matches === null || (size !== null && matches.length < values.length))
      return [...issues, { field, message: 'takes too long to compile: simplify the patterns' }];
    left -= size ?? 0;
    if (left < 0)
      return [...issues, { field, message: 'exceeds the limit: the patterns are too large in total' }];
    if (size === null) issues.push({ field, message: malformed });
    else
      for (const [position, { field: at, message }] of values.entries())
        if (!matches[position] && !issues.some((issue) => issue.field === at && issue.message === message))
          issues.push({ field: at, message });
  }
  return issues;
}

/** Runs tasks on the main thread; null if they would take too long there. */
function runInline(tasks: readonly PatternTask[]): PatternResult[] | null {
  const inline = new InlineSteps();
  const results: PatternResult[] = [];
  for (const { pattern, ignoreCase, texts } of tasks) {
    if (!inline.spend(compileCost(pattern, ignoreCase))) return null;
    const size = compileLinearRegex(pattern, ignoreCase)?.size ?? null;
    const matches = texts.flatMap((text) => inline.test(pattern, ignoreCase, text) ?? []);
    if (matches.length < texts.length) return null;
    results.push({ size, matches });
  }
  return results;
}
