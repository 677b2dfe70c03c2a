import { RE2JS } from 're2js';

/** Tests one text; time grows linearly with its length. */
export type TextTest = (text: string) => boolean;

/** Above this a pattern's automaton costs too much to build and to run. */
const MAX_PATTERN_CHARS = 1000;
/** RE2 expands counted repetitions, so `(a{500}){500}` is refused by the size of its program. */
const MAX_PROGRAM_SIZE = 1000;
/** Longer texts fail the test: steps are program size times length, here 20 million at most. */
const MAX_TEXT_CHARS = 20_000;

/**
 * Compiles a pattern of JavaScript's `RegExp` into a matcher that runs in linear time (RE2), or null when RE2 cannot
 * express it (look-around, back-references), it is malformed or too large. Never runs a backtracking matcher:
 * `^(a+)+$` against 28 characters takes a backtracking one seconds.
 */
export function compileLinearRegex(pattern: string, ignoreCase: boolean): TextTest | null {
  if (pattern.length > MAX_PATTERN_CHARS) return null;
  try {
    const flags = ignoreCase ? RE2JS.CASE_INSENSITIVE : 0;
    const regex = RE2JS.compile(RE2JS.translateRegExp(pattern), flags);
    if (regex.programSize() > MAX_PROGRAM_SIZE) return null;
    return (text) => text.length <= MAX_TEXT_CHARS && regex.test(text);
  } catch {
    return null;
  }
}
