/** Regular expressions of rules: RE2's, which take time linear in a path's length, and their captures in targets. */
import { RE2JS, RE2Set } from 're2js';

/** RE2 expands counted repetitions: a pattern is bounded by the size of its program, in steps of one character. */
export const MAX_PROGRAM_SIZE = 1000;
/** Above this all patterns of a project together would. */
export const MAX_PROGRAMS_SIZE = 10_000;
/**
 * Steps that one path may take in patterns that are made to be slow, about a tenth of a second: longer paths than there are
 * steps for are not tried. Where the patterns have 2,500 in all, that is any path of up to 1,000 characters.
 */
const MAX_STEPS = 2_500_000;
/** RE2's flag of a program whose every match begins where the text does. */
const BEGINS_TEXT = 4;

/** How much a pattern adds to a set, and its groups; null: RE2 cannot express it, it is malformed or too large. */
export function sizeOfPattern(pattern: string): { readonly size: number; readonly groups: number } | null {
  const compiled = repetitionsOf(pattern) > MAX_PROGRAM_SIZE ? null : compilePattern(pattern);
  const size = compiled?.programSize() ?? 0;
  return compiled === null || size > MAX_PROGRAM_SIZE ? null : { size, groups: compiled.groupCount() };
}

/** Programs have at least a step for each counted repetition, so that those with too many need not be made. */
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

/** Patterns that are tried all at once, with their places among all. */
class Part {
  readonly places: number[] = [];
  readonly #set: RE2Set;

  constructor(anchor: number, octets: number) {
    this.#set = new RE2Set(anchor, 0, octets);
  }

  add(pattern: RE2JS, place: number): void {
    this.#set.add(pattern.pattern());
    this.places.push(place);
  }

  /** Ends adding; returns the size of the program. */
  compile(): number {
    if (this.places.length === 0) return 0;
    this.#set.compile();
    return this.#set.prog.numInst();
  }

  all(text: string): number[] {
    const found: number[] = this.places.length === 0 ? [] : this.#set.match(text);
    return found.flatMap((place) => this.places[place] ?? []);
  }
}

/**
 * Patterns in their order. Those that match from a text's beginning alone are a set of their own, which knows after a few
 * characters which of them are left.
 */
export class PatternSet {
  readonly #fromBeginning: Part;
  readonly #anywhere: Part;
  #count = 0;
  #size = 0;

  /** @param bytes what it may remember of the texts that it has seen */
  constructor(octets: number) {
    this.#fromBeginning = new Part(RE2Set.ANCHOR_START, octets / 2);
    this.#anywhere = new Part(RE2Set.UNANCHORED, octets / 2);
  }

  /** Adds a pattern behind the others, and returns it compiled by itself; null: it cannot be one. */
  add(pattern: string): RE2JS | null {
    const compiled = compilePattern(pattern);
    if (compiled === null) return null;
    const condition: number = compiled.re2().prog.startCond();
    const part = (condition & BEGINS_TEXT) === 0 ? this.#anywhere : this.#fromBeginning;
    part.add(compiled, this.#count);
    this.#count += 1;
    return compiled;
  }

  /** Ends adding. */
  compile(): void {
    this.#size = this.#fromBeginning.compile() + this.#anywhere.compile();
  }

  /** The places of the patterns that a text matches. */
  all(text: string): number[] {
    if (text.length * this.#size > MAX_STEPS) return [];
    return [...this.#fromBeginning.all(text), ...this.#anywhere.all(text)];
  }
}

/** `$1` to `$99`, or `$$`, which is a plain dollar. */
const PLACEHOLDER = /\$(?:\$|\d\d?)/g;

/** The group that a placeholder means: of two digits the first one alone when there are not so many; null: none. */
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

/** The first placeholder of a target that means no group of its pattern. */
export function findStrayPlaceholder(target: string, groups: number): string | null {
  const all = target.match(PLACEHOLDER) ?? [];
  return all.find((each) => each !== '$$' && groupOf(each, groups) === null) ?? null;
}

/** Puts what the groups have captured into a text. */
export function fillPlaceholders(text: string, captured: readonly string[]): string {
  return text.replace(PLACEHOLDER, (placeholder) => {
    if (placeholder === '$$') return '$';
    const meant = groupOf(placeholder, captured.length);
    return meant === null ? placeholder : `${captured[meant.group - 1] ?? ''}${meant.rest}`;
  });
}

/** What the groups of a pattern capture in a text; null: the text does not match. */
export function captureGroups(pattern: RE2JS, text: string): string[] | null {
  const matcher = pattern.matcher(text);
  if (!matcher.find()) return null;
  return Array.from({ length: pattern.groupCount() }, (_none, place) => matcher.group(place + 1) ?? '');
}
