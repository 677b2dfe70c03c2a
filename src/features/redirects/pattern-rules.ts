/**
 * The pattern rules of a project, compiled: for each domain a trie of its prefixes and one set of its regular expressions. What a
 * request takes does not grow with the prefixes; the steps that expressions take are bounded.
 */
import type { RE2JS } from 're2js';
import { captureGroups, fillPlaceholders, PatternSet } from './pattern.ts';
import { Prefixes } from './prefixes.ts';
import type { ChangedRule, RedirectType, Rule } from './rule.ts';
import { encodeUrl, readablePath, toDomain, toPath } from './source.ts';
import { readTarget, type Target, withPath, withRest } from './target.ts';

/** What expressions may remember of the paths that they have seen: of a project's few little, of many this much. */
const MOST_MEMORY = 4 * 1024 * 1024;
const LEAST_MEMORY = 64 * 1024;
const MEMORY_PER_STEP = 1024;
/** After this time others have their turn. */
const TURN_MS = 10;

/** A pattern rule and its place in the order in which they are tried. */
export interface Ranked {
  readonly rank: number;
  readonly source: string;
  readonly target: string;
  readonly redirectType: RedirectType;
  /** A regular expression by itself, for its captures. */
  readonly alone: RE2JS | null;
}

/** The pattern rules of one domain. */
interface DomainPatterns {
  readonly prefixes: Prefixes<Ranked>;
  /** The regular expressions in the order of their set. */
  readonly expressions: Ranked[];
  readonly set: PatternSet;
}

/** Compiled pattern rules. */
export class PatternRules {
  readonly #domains = new Map<string, DomainPatterns>();
  /** What their expressions may remember. */
  readonly octets: number;

  private constructor(octets: number) {
    this.octets = octets;
  }

  /** Compiles rules. Others have their turn meanwhile. */
  static async compile(rules: readonly ChangedRule[]): Promise<PatternRules> {
    const expressions = rules.filter(({ rule_type }) => rule_type === 'regex');
    const domains = new Set(expressions.map(({ source_domain }) => toDomain(source_domain)));
    const size = expressions.reduce((sum, { program_size }) => sum + program_size, 0);
    const octets = size === 0 ? 0 : Math.min(MOST_MEMORY, LEAST_MEMORY + size * MEMORY_PER_STEP);
    const compiled = new PatternRules(octets);
    let began = performance.now();
    for (const [rank, rule] of [...rules].sort(inOrder).entries()) {
      compiled.#add(rule, rank, octets / domains.size);
      if (performance.now() - began < TURN_MS) continue;
      await othersTurn();
      began = performance.now();
    }
    for (const { set } of compiled.#domains.values()) {
      set.compile();
      await othersTurn();
    }
    return compiled;
  }

  #add(rule: Rule, rank: number, memory: number): void {
    const { prefixes, expressions, set } = this.#patternsOf(rule, memory);
    const { target, redirect_type: redirectType } = rule;
    if (rule.rule_type === 'prefix') {
      const source = toPath(rule.source);
      prefixes.add(source, { rank, source, target, redirectType, alone: null });
      return;
    }
    const { source } = rule;
    const alone = set.add(source);
    if (alone !== null) expressions.push({ rank, source, target, redirectType, alone });
  }

  #patternsOf({ source_domain }: Rule, memory: number): DomainPatterns {
    const domain = toDomain(source_domain);
    const known = this.#domains.get(domain);
    if (known) return known;
    const patterns: DomainPatterns = {
      prefixes: new Prefixes(),
      expressions: [],
      set: new PatternSet(memory),
    };
    this.#domains.set(domain, patterns);
    return patterns;
  }

  /** The first rule of a domain that a path has. */
  find(domain: string, path: string): Ranked | null {
    const patterns = this.#domains.get(domain);
    if (patterns === undefined) return null;
    let first: Ranked | null = null;
    for (const rule of patterns.prefixes.of(path)) if (first === null || rule.rank < first.rank) first = rule;
    if (patterns.expressions.length === 0) return first;
    for (const text of spellingsOf(path)) {
      const place = patterns.set.first(text);
      const rule = place === null ? undefined : patterns.expressions[place];
      if (rule && (first === null || rule.rank < first.rank)) first = rule;
    }
    return first;
  }
}

function othersTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** By priority from high to low, then from old to new. */
function inOrder(one: Rule, other: Rule): number {
  return (
    other.priority - one.priority || compare(one.created_at, other.created_at) || compare(one.id, other.id)
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** An expression may ask for the slash at a path's end, which does not matter. */
function spellingsOf(path: string): string[] {
  const readable = readablePath(path);
  return path === '/' ? [readable] : [readable, `${readable}/`];
}

/** Where a rule leads a path that it has. */
export function targetOf(rule: Ranked, path: string): Target | null {
  if (rule.alone !== null) return filledTarget(rule.target, rule.alone, path);
  const target = readTarget(rule.target, false);
  return target && withRest(target, restBehind(rule.source, path));
}

function restBehind(prefix: string, path: string): string {
  return prefix === '/' && path !== '/' ? path : path.slice(prefix.length);
}

function filledTarget(text: string, pattern: RE2JS, path: string): Target | null {
  const target = readTarget(text, true);
  if (target === null) return null;
  const [captured] = spellingsOf(path).flatMap((each) => {
    const groups = captureGroups(pattern, each);
    return groups === null ? [] : [groups.map(encodeUrl)];
  });
  if (captured === undefined) return null;
  const fill = (part: string) => fillPlaceholders(part, captured);
  return withPath(
    { ...target, query: fill(target.query), fragment: fill(target.fragment) },
    fill(target.path),
  );
}
