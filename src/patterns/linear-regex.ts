import { RE2JS, RE2Set } from 're2js';

/** A pattern that is matched in time linear in the text's length. */
export interface LinearRegex {
  /** Steps that one character of a text may take. */
  readonly size: number;
  /** Whether a text matches; one that is too long does not. */
  test(text: string): boolean;
}

/** Above this a pattern's automaton costs too much to build and to run. */
export const MAX_PATTERN_CHARS = 1000;
/** RE2 expands counted repetitions, so `(a{500}){500}` is refused by the size of its program. */
const MAX_PROGRAM_SIZE = 1000;
/** Longer texts fail the test: steps are program size times length, here 20 million at most. */
const MAX_TEXT_CHARS = 20_000;
/** What a pattern remembers of the texts it has seen. More makes only those faster that are made to be slow. */
export const MAX_PATTERN_BYTES = 64 * 1024;

/**
 * Compiles a pattern of JavaScript's `RegExp` into a matcher that runs in linear time (RE2), or null when RE2 cannot
 * express it (look-around, back-references), it is malformed or too large. Never runs a backtracking matcher:
 * `^(a+)+$` against 28 characters takes a backtracking one seconds.
 */
export function compileLinearRegex(pattern: string, ignoreCase: boolean): LinearRegex | null {
  if (pattern.length > MAX_PATTERN_CHARS) return null;
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
