/**
 * The compiled pattern rules of a project: per domain, a trie of prefixes and one set of regular expressions. The time
 * of a request does not grow with the number of prefixes, and the steps of expressions are limited.
 */
import type { RE2JS } from 're2js';
import { captureGroups, fillPlaceholders, PatternSet } from './pattern.ts';
import { Prefixes } from './prefixes.ts';
import type { ChangedRule, RedirectType, Rule } from './rule.ts';
import { type Asked, encodeUrl, MAX_PATH_CHARS, readablePath, toDomain, toPath } from './source.ts';
import { isExternal, readTarget, type Target, withPath, withRest } from './target.ts';

/** Memory for the lazy states of a project's expressions, in bytes; small projects get less. */
const MOST_MEMORY = 4 * 1024 * 1024;
const LEAST_MEMORY = 64 * 1024;
const MEMORY_PER_STEP = 1024;
/** Compiling yields to the event loop after this time, in ms. */
const TURN_MS = 10;

/** A pattern rule with its rank. */
export interface Ranked {
  readonly rank: number;
  readonly source: string;
  readonly target: string;
  readonly redirectType: RedirectType;
  /** The regular expression alone, for its captures. */
  readonly alone: RE2JS | null;
  /** The common prefix of all targets on its own domain; null if it redirects to another domain. */
  readonly leadsUnder: string | null;
}

/** The pattern rules of one domain. */
interface DomainPatterns {
  readonly prefixes: Prefixes<Ranked>;
  /** The regular expressions, in the order of their set. */
  readonly expressions: Ranked[];
  readonly set: PatternSet;
}

/** Compiled pattern rules. */
export class PatternRules {
  readonly #domains = new Map<string, DomainPatterns>();
  /** Memory that their expressions may use, in bytes. */
  readonly octets: number;

  private constructor(octets: number) {
    this.octets = octets;
  }

  /** Compiles rules. Yields to the event loop. */
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
    const leadsUnder = beginningOf(rule);
    if (rule.rule_type === 'prefix') {
      const source = toPath(rule.source);
      prefixes.add(source, { rank, source, target, redirectType, alone: null, leadsUnder });
      return;
    }
    const { source } = rule;
    const alone = set.add(source);
    if (alone !== null) expressions.push({ rank, source, target, redirectType, alone, leadsUnder });
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

  /** Returns the first rule of a domain that matches a path. */
  find(domain: string, asked: Asked): Ranked | null {
    const patterns = this.#domains.get(domain);
    if (patterns === undefined) return null;
    let first: Ranked | null = null;
    for (const rule of patterns.prefixes.of(asked.path))
      if ((first === null || rule.rank < first.rank) && !isThere(rule, asked)) first = rule;
    if (patterns.expressions.length === 0) return first;
    for (const text of spellingsOf(asked)) {
      for (const place of patterns.set.all(text)) {
        const rule = patterns.expressions[place];
        if (rule && (first === null || rule.rank < first.rank) && !isThere(rule, asked)) first = rule;
      }
    }
    return first;
  }
}

/** Returns the fixed part of a rule's target, in the normal form of paths. */
function beginningOf({ rule_type, target: text, source_domain }: Rule): string | null {
  const target = readTarget(text, rule_type === 'regex');
  if (target === null || isExternal(target, toDomain(source_domain))) return null;
  if (rule_type === 'prefix') return toPath(target.path);
  const [fixed = ''] = target.path.split('$', 1);
  // Whole segments only: `/item-$1` is under `/`.
  return toPath(fixed.slice(0, fixed.lastIndexOf('/') + 1));
}

/** Redirects of one rule that are followed before it counts as a loop. */
const MAX_FOLLOWED = 8;

/**
 * True for paths that a rule has produced itself, such as `/docs/v2` for a rule from `/docs` to `/docs/v2`, which would
 * redirect endlessly. A rule that shortens its path ends and may continue.
 */
function isThere(rule: Ranked, asked: Asked): boolean {
  const { leadsUnder } = rule;
  if (leadsUnder === null || !isUnder(asked.path, leadsUnder)) return false;
  let at = asked;
  for (let step = 0; step < MAX_FOLLOWED; step += 1) {
    const target = targetOf(rule, at);
    const path = target && toPath(target.path);
    if (path === null || path === at.path) return false;
    if (path.length > MAX_PATH_CHARS) return true;
    if (rule.alone === null && !isUnder(path, rule.source)) return false;
    at = { ...at, path };
  }
  return true;
}

function isUnder(path: string, beginning: string): boolean {
  return beginning === '/' || path === beginning || path.startsWith(`${beginning}/`);
}

function othersTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Orders by priority (high first), then age (old first). */
function inOrder(one: Rule, other: Rule): number {
  return (
    other.priority - one.priority || compare(one.created_at, other.created_at) || compare(one.id, other.id)
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** An expression may require a trailing slash or none. The requested spelling comes first. */
function spellingsOf({ path, hasSlash }: Asked): string[] {
  const readable = readablePath(path);
  if (path === '/') return [readable];
  return hasSlash ? [`${readable}/`, readable] : [readable, `${readable}/`];
}

/** Returns the target of a rule for a path that it matches. */
export function targetOf(rule: Ranked, asked: Asked): Target | null {
  if (rule.alone !== null) return filledTarget(rule.target, rule.alone, asked);
  const target = readTarget(rule.target, false);
  return target && withRest(target, restBehind(rule.source, asked));
}

/** Returns the rest of a path after a prefix, with its trailing slash. */
function restBehind(prefix: string, { path, hasSlash }: Asked): string {
  const rest = prefix === '/' && path !== '/' ? path : path.slice(prefix.length);
  return rest !== '' && hasSlash ? `${rest}/` : rest;
}

function filledTarget(text: string, pattern: RE2JS, asked: Asked): Target | null {
  const target = readTarget(text, true);
  if (target === null) return null;
  const [captured] = spellingsOf(asked).flatMap((each) => {
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
