/**
 * The compiled pattern rules of a project: per domain, a trie of prefixes and one set of regular expressions. The time
 * of a request does not grow with the number of prefixes, and the steps of expressions are limited.
 */
import type { RE2JS } from 're2js';
import { captureGroups, fillPlaceholders, PatternSet } from './pattern.ts';
import { Prefixes } from './prefixes.ts';
import type { ChangedRule, RedirectType, Rule } from './rule.ts';
import {
  encodeUrl,
  MAX_PATH_CHARS,
  type NormalizedRequest,
  readablePath,
  toDomain,
  toPath,
} from './source.ts';
import { isExternal, readTarget, type Target, withPath, withRest } from './target.ts';

/** Memory for the lazy states of a project's expressions, in bytes; small projects get less. */
const MAX_MEMORY = 4 * 1024 * 1024;
const MIN_MEMORY = 64 * 1024;
const MEMORY_PER_STEP = 1024;
/** Compiling yields to the event loop after this time, in ms. */
const YIELD_AFTER_MS = 10;

/** A pattern rule with its rank. */
export interface RankedRule {
  readonly rank: number;
  readonly source: string;
  readonly target: string;
  readonly redirectType: RedirectType;
  /** The regular expression outside its set, because a set does not return captures. */
  readonly expression: RE2JS | null;
  /** The common prefix of all targets on its own domain; null if it redirects to another domain. */
  readonly targetPrefix: string | null;
}

/** The pattern rules of one domain. */
interface DomainPatterns {
  readonly prefixes: Prefixes<RankedRule>;
  /** The regular expressions, in the order of their set. */
  readonly expressions: RankedRule[];
  readonly set: PatternSet;
}

/** Compiled pattern rules. */
export class PatternRules {
  readonly #domains = new Map<string, DomainPatterns>();
  /** Maximum memory of the expressions, in bytes. */
  readonly bytes: number;

  private constructor(bytes: number) {
    this.bytes = bytes;
  }

  /** Compiles rules. Yields to the event loop. */
  static async compile(rules: readonly ChangedRule[]): Promise<PatternRules> {
    const expressions = rules.filter(({ rule_type }) => rule_type === 'regex');
    const domains = new Set(expressions.map(({ source_domain }) => toDomain(source_domain)));
    const size = expressions.reduce((sum, { program_size }) => sum + program_size, 0);
    const bytes = size === 0 ? 0 : Math.min(MAX_MEMORY, MIN_MEMORY + size * MEMORY_PER_STEP);
    const compiled = new PatternRules(bytes);
    let began = performance.now();
    for (const [rank, rule] of [...rules].sort(byPriorityAndAge).entries()) {
      compiled.#add(rule, rank, bytes / domains.size);
      if (performance.now() - began < YIELD_AFTER_MS) continue;
      await yieldToEventLoop();
      began = performance.now();
    }
    for (const { set } of compiled.#domains.values()) {
      set.compile();
      await yieldToEventLoop();
    }
    return compiled;
  }

  #add(rule: Rule, rank: number, memory: number): void {
    const { prefixes, expressions, set } = this.#patternsOf(rule, memory);
    const { target, redirect_type: redirectType } = rule;
    const targetPrefix = targetPrefixOf(rule);
    if (rule.rule_type === 'prefix') {
      const source = toPath(rule.source);
      prefixes.add(source, { rank, source, target, redirectType, expression: null, targetPrefix });
      return;
    }
    const { source } = rule;
    const expression = set.add(source);
    if (expression !== null)
      expressions.push({ rank, source, target, redirectType, expression, targetPrefix });
  }

  #patternsOf({ source_domain }: Rule, memory: number): DomainPatterns {
    const domain = toDomain(source_domain);
    const existing = this.#domains.get(domain);
    if (existing) return existing;
    const patterns: DomainPatterns = {
      prefixes: new Prefixes(),
      expressions: [],
      set: new PatternSet(memory),
    };
    this.#domains.set(domain, patterns);
    return patterns;
  }

  /** Returns the first rule of a domain that matches a path. */
  find(domain: string, request: NormalizedRequest): RankedRule | null {
    const patterns = this.#domains.get(domain);
    if (patterns === undefined) return null;
    let first: RankedRule | null = null;
    for (const rule of patterns.prefixes.valuesOf(request.path))
      if ((first === null || rule.rank < first.rank) && !isOwnTarget(rule, request)) first = rule;
    if (patterns.expressions.length === 0) return first;
    for (const text of spellingsOf(request)) {
      for (const index of patterns.set.all(text)) {
        const rule = patterns.expressions[index];
        if (rule && (first === null || rule.rank < first.rank) && !isOwnTarget(rule, request)) first = rule;
      }
    }
    return first;
  }
}

/** Returns the fixed part of a rule's target, in the normal form of paths. */
function targetPrefixOf({ rule_type, target: text, source_domain }: Rule): string | null {
  const target = readTarget(text, rule_type === 'regex');
  if (target === null || isExternal(target, toDomain(source_domain))) return null;
  if (rule_type === 'prefix') return toPath(target.path);
  const [fixed = ''] = target.path.split('$', 1);
  // Whole segments only: `/item-$1` is under `/`.
  return toPath(fixed.slice(0, fixed.lastIndexOf('/') + 1));
}

/** Number of consecutive redirects by one rule after which it counts as a loop. */
const MAX_REDIRECTS = 8;

/**
 * True if the rule would redirect the path again and again, such as `/docs/v2` with a rule from `/docs` to `/docs/v2`.
 * A rule that makes the path shorter each time is not a loop.
 */
function isOwnTarget(rule: RankedRule, request: NormalizedRequest): boolean {
  const { targetPrefix } = rule;
  if (targetPrefix === null || !isUnder(request.path, targetPrefix)) return false;
  let current = request;
  for (let step = 0; step < MAX_REDIRECTS; step += 1) {
    const target = targetOf(rule, current);
    const path = target && toPath(target.path);
    if (path === null || path === current.path) return false;
    if (path.length > MAX_PATH_CHARS) return true;
    if (rule.expression === null && !isUnder(path, rule.source)) return false;
    current = { ...current, path };
  }
  return true;
}

function isUnder(path: string, beginning: string): boolean {
  return beginning === '/' || path === beginning || path.startsWith(`${beginning}/`);
}

function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Orders by priority (high first), then age (old first). */
function byPriorityAndAge(one: Rule, other: Rule): number {
  return (
    other.priority - one.priority || compare(one.created_at, other.created_at) || compare(one.id, other.id)
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** An expression may require a trailing slash or none. The requested spelling comes first. */
function spellingsOf({ path, hasSlash }: NormalizedRequest): string[] {
  const readable = readablePath(path);
  if (path === '/') return [readable];
  return hasSlash ? [`${readable}/`, readable] : [readable, `${readable}/`];
}

/** Returns the target of a rule for a path that it matches. */
export function targetOf(rule: RankedRule, request: NormalizedRequest): Target | null {
  if (rule.expression !== null) return filledTarget(rule.target, rule.expression, request);
  const target = readTarget(rule.target, false);
  return target && withRest(target, restAfter(rule.source, request));
}

/** Returns the rest of a path after a prefix, with its trailing slash. */
function restAfter(prefix: string, { path, hasSlash }: NormalizedRequest): string {
  const rest = prefix === '/' && path !== '/' ? path : path.slice(prefix.length);
  return rest !== '' && hasSlash ? `${rest}/` : rest;
}

function filledTarget(text: string, pattern: RE2JS, request: NormalizedRequest): Target | null {
  const target = readTarget(text, true);
  if (target === null) return null;
  const [captured] = spellingsOf(request).flatMap((each) => {
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
