import { LRUCache } from 'lru-cache';
import { RE2JS, RE2Set } from 're2js';

/** A compiled pattern with matching time linear in the text's length. */
export interface LinearRegex {
  /** Size of the compiled program: the steps that one character of a text may take. */
  readonly size: number;
  /** True if the text matches; false if it is longer than `MAX_TEXT_CHARS`. */
  test(text: string): boolean;
}

/** Above this a pattern's automaton costs too much to build and to run. */
export const MAX_PATTERN_CHARS = 1000;
/** RE2 expands counted repetitions, so `(a{500}){500}` is refused by the size of its program. */
const MAX_PROGRAM_SIZE = 1000;
/** Longer texts fail the test: steps are program size times length, here 20 million at most. */
export const MAX_TEXT_CHARS = 20_000;
/** Memory in which a compiled pattern caches the states it has visited. */
export const MAX_PATTERN_BYTES = 64 * 1024;
/** Cache limits of a thread: number of compiled patterns, and sum of their program sizes, at 800 bytes a step. */
const MAX_CACHED = 500;
const MAX_CACHED_SIZE = 60_000;

/** Counted repetitions and Unicode classes are what makes a short pattern slow to compile. */
const REPETITION = /\{(\d{1,4})(?:,(\d{0,4}))?\}/g;
const UNICODE_CLASS = /\\p/gi;
const STEPS_PER_CHAR = 250;
const STEPS_PER_REPETITION = 500;
const STEPS_PER_UNICODE_CLASS = 20_000;

/** Compiled patterns by flag and pattern; null: the pattern cannot be compiled. */
const compiled = new LRUCache<string, { readonly regex: LinearRegex | null }>({
  max: MAX_CACHED,
  maxSize: MAX_CACHED_SIZE,
  sizeCalculation: ({ regex }) => 1 + (regex?.size ?? 0),
});

/**
 * Compiles a pattern of JavaScript's `RegExp` into a matcher that runs in linear time (RE2), or null when RE2 cannot
 * express it (look-around, back-references), or it is malformed or too large. A backtracking matcher is never used: it
 * needs seconds for `^(a+)+$` and 28 characters. Linear time may still be long, so a tenant's patterns are compiled and
 * run through `PatternMatches` or `matchInThread`, which limit the time on the main thread.
 */
export function compileLinearRegex(pattern: string, ignoreCase: boolean): LinearRegex | null {
  if (pattern.length > MAX_PATTERN_CHARS) return null;
  const key = `${ignoreCase ? 'i' : '-'}${pattern}`;
  const known = compiled.get(key) ?? { regex: compile(pattern, ignoreCase) };
  compiled.set(key, known);
  return known.regex;
}

/** Estimates the steps that compiling a pattern takes; zero when it is in the cache. */
export function compileCost(pattern: string, ignoreCase: boolean): number {
  // Such a pattern is rejected without being compiled.
  if (pattern.length > MAX_PATTERN_CHARS) return 0;
  if (compiled.has(`${ignoreCase ? 'i' : '-'}${pattern}`)) return 0;
  const repetitions = pattern
    .matchAll(REPETITION)
    .reduce((sum, [, least, most]) => sum + Number(most || least), 0);
  const classes = pattern.matchAll(UNICODE_CLASS).reduce((count) => count + 1, 0);
  return (
    pattern.length * STEPS_PER_CHAR +
    // A repeated class is copied with each repetition.
    repetitions * STEPS_PER_REPETITION * (1 + classes) +
    classes * STEPS_PER_UNICODE_CLASS
  );
}

function compile(pattern: string, ignoreCase: boolean): LinearRegex | null {
  try {
    // A set of one, because only sets take a bound of memory; others take 8 MB each.
    const set = new RE2Set(RE2Set.UNANCHORED, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0, MAX_PATTERN_BYTES);
    set.add(RE2JS.translateRegExp(pattern));
    set.compile();
    const size = set.prog.numInst();
    if (size > MAX_PROGRAM_SIZE) return null;
    return { size, test: (text) => text.length <= MAX_TEXT_CHARS && set.match(text).length > 0 };
  } catch {
    return null;
  }
}
