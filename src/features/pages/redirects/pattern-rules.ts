/**
 * The pattern rules of a project, compiled: for each domain a trie of its prefixes and one set of its regular expressions. What a
 * request takes does not grow with the prefixes; the steps that expressions take are bounded.
 */
import type { RE2JS } from 're2js';
import { captureGroups, fillPlaceholders, PatternSet } from './pattern.ts';
import { Prefixes } from './prefixes.ts';
import type { ChangedRule, RedirectType, Rule } from './rule.ts';
import { type Asked, encodeUrl, MAX_PATH_CHARS, readablePath, toDomain, toPath } from './source.ts';
import { isExternal, readTarget, type Target, withPath, withRest } from './target.ts';

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
  /** What every path begins with that the rule leads to on its own domain; null: it leads to another. */
  readonly leadsUnder: string | null;
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

  /** The first rule of a domain that a path has. */
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

/** The part of a rule's target that is the same for all paths, in the form of paths that are asked for. */
function beginningOf({ rule_type, target: text, source_domain }: Rule): string | null {
  const target = readTarget(text, rule_type === 'regex');
  if (target === null || isExternal(target, toDomain(source_domain))) return null;
  if (rule_type === 'prefix') return toPath(target.path);
  const [fixed = ''] = target.path.split('$', 1);
  // Whole segments: `/item-$1` leads under `/`.
  return toPath(fixed.slice(0, fixed.lastIndexOf('/') + 1));
}

/** A rule that leads on from where it leads is followed so often before it is taken for one that never ends. */
const MAX_FOLLOWED = 8;

/**
 * True for paths to which a rule has led already, such as `/docs/v2` for the rule from `/docs` to `/docs/v2`: it would lead on and
 * on. One that comes to an end, as it takes something away, goes on.
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

/** By priority from high to low, then from old to new. */
function inOrder(one: Rule, other: Rule): number {
  return (
    other.priority - one.priority || compare(one.created_at, other.created_at) || compare(one.id, other.id)
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** An expression may ask for the slash at a path's end, or for none: the way that was asked for comes first. */
function spellingsOf({ path, hasSlash }: Asked): string[] {
  const readable = readablePath(path);
  if (path === '/') return [readable];
  return hasSlash ? [`${readable}/`, readable] : [readable, `${readable}/`];
}

/** Where a rule leads a path that it has. */
export function targetOf(rule: Ranked, asked: Asked): Target | null {
  if (rule.alone !== null) return filledTarget(rule.target, rule.alone, asked);
  const target = readTarget(rule.target, false);
  return target && withRest(target, restBehind(rule.source, asked));
}

/** What is kept of a path, with the slash at its end. */
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
