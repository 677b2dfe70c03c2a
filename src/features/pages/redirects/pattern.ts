/** Regular expressions of rules, with captures in targets. RE2 takes time linear in a path's length. */
import { RE2JS, RE2Set } from 're2js';

/** Maximum number of steps in the compiled program of a pattern. RE2 expands counted repetitions. */
export const MAX_PROGRAM_SIZE = 1000;
/** Maximum number of steps of all patterns of a project. */
export const MAX_PROGRAMS_SIZE = 10_000;
/**
 * Maximum cost of matching one path: its length times the size of the project's programs. It takes about 0.1 s with
 * deliberately slow patterns. Longer paths are not matched. Programs of 2,500 steps allow paths of 1,000 characters.
 */
const MAX_STEPS = 2_500_000;
/** RE2's flag of a program that only matches at the beginning of the text. */
const BEGINS_TEXT = 4;

/**
 * Returns the size of a pattern in a set, and its groups; null if it is malformed, too large, or not supported by RE2.
 */
export function sizeOfPattern(pattern: string): { readonly size: number; readonly groups: number } | null {
  const compiled = repetitionsOf(pattern) > MAX_PROGRAM_SIZE ? null : compilePattern(pattern);
  const size = compiled?.programSize() ?? 0;
  return compiled === null || size > MAX_PROGRAM_SIZE ? null : { size, groups: compiled.groupCount() };
}

/** A lower bound of the program size from counted repetitions, so that huge programs are not built. */
function repetitionsOf(pattern: string): number {
  const counts = pattern.matchAll(/\{(\d{1,4})(?:,(\d{0,4}))?\}/g);
  return counts.reduce((sum, [, least, most]) => sum + Number(most || least), 0);
}

function compilePattern(pattern: string): RE2JS | null {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return null;
  }
}

/** Patterns that are matched together, with their ranks. */
class RankedSet {
  readonly ranks: number[] = [];
  readonly #set: RE2Set;

  constructor(anchor: number, bytes: number) {
    this.#set = new RE2Set(anchor, 0, bytes);
  }

  add(pattern: RE2JS, rank: number): void {
    this.#set.add(pattern.pattern());
    this.ranks.push(rank);
  }

  /** Finishes adding and returns the size of the program. */
  compile(): number {
    if (this.ranks.length === 0) return 0;
    this.#set.compile();
    return this.#set.prog.numInst();
  }

  all(text: string): number[] {
    const found: number[] = this.ranks.length === 0 ? [] : this.#set.match(text);
    return found.flatMap((index) => this.ranks[index] ?? []);
  }
}

/**
 * Patterns in order. Those that are anchored to the beginning form a set of their own, which narrows down after a few
 * characters.
 */
export class PatternSet {
  readonly #fromBeginning: RankedSet;
  readonly #anywhere: RankedSet;
  #count = 0;
  #size = 0;

  /** @param bytes memory for its lazy states */
  constructor(bytes: number) {
    this.#fromBeginning = new RankedSet(RE2Set.ANCHOR_START, bytes / 2);
    this.#anywhere = new RankedSet(RE2Set.UNANCHORED, bytes / 2);
  }

  /** Adds a pattern and returns it compiled alone; null if it is invalid. */
  add(pattern: string): RE2JS | null {
    const compiled = compilePattern(pattern);
    if (compiled === null) return null;
    const condition: number = compiled.re2().prog.startCond();
    const set = (condition & BEGINS_TEXT) === 0 ? this.#anywhere : this.#fromBeginning;
    set.add(compiled, this.#count);
    this.#count += 1;
    return compiled;
  }

  /** Finishes adding. */
  compile(): void {
    this.#size = this.#fromBeginning.compile() + this.#anywhere.compile();
  }

  /** Returns the ranks of the patterns that a text matches. */
  all(text: string): number[] {
    if (text.length * this.#size > MAX_STEPS) return [];
    return [...this.#fromBeginning.all(text), ...this.#anywhere.all(text)];
  }
}

/** `$1` to `$99`, or `$$` for a literal dollar. */
const PLACEHOLDER = /\$(?:\$|\d\d?)/g;

/**
 * Returns the group of a placeholder. With two digits, only the first counts if there are fewer groups. Null if there
 * is no such group.
 */
function groupOf(
  placeholder: string,
  groups: number,
): { readonly group: number; readonly rest: string } | null {
  const digits = placeholder.slice(1);
  for (const length of [2, 1]) {
    const group = Number(digits.slice(0, length));
    if (group >= 1 && group <= groups) return { group, rest: digits.slice(length) };
  }
  return null;
}

/** Returns the first placeholder of a target without a group in the pattern. */
export function findStrayPlaceholder(target: string, groups: number): string | null {
  const all = target.match(PLACEHOLDER) ?? [];
  return all.find((each) => each !== '$$' && groupOf(each, groups) === null) ?? null;
}

/** Fills captures into a text. */
export function fillPlaceholders(text: string, captured: readonly string[]): string {
  return text.replace(PLACEHOLDER, (placeholder) => {
    if (placeholder === '$$') return '$';
    const found = groupOf(placeholder, captured.length);
    return found === null ? placeholder : `${captured[found.group - 1] ?? ''}${found.rest}`;
  });
}

/** Returns the captures of a pattern in a text; null if it does not match. */
export function captureGroups(pattern: RE2JS, text: string): string[] | null {
  const matcher = pattern.matcher(text);
  if (!matcher.find()) return null;
  return Array.from({ length: pattern.groupCount() }, (_none, index) => matcher.group(index + 1) ?? '');
}
