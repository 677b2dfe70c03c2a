/**
 * Matches requests with the rules of a project (docs/specification/pages.md#redirects). Each domain has a map of static
 * rules and a compiled set of pattern rules. Changes are applied one by one, so adding ten thousand rules one after
 * another does not compile all of them each time.
 */
import { PatternRules, targetOf } from './pattern-rules.ts';
import type { ChangedRule, Redirection, RedirectType, Rule } from './rule.ts';
import { encodeUrl, readAsked, toDomain, toPath } from './source.ts';
import { addressOf, isExternal, leadsBack, readTarget } from './target.ts';

/** Approximate size of a rule in addition to its texts, in bytes. */
const RULE_OCTETS = 400;
/** Size of one step of a pattern's program, in bytes: in its set, and alone for its captures. */
const STEP_OCTETS = 500;

/** Returns the size of a rule in a matcher, in bytes; `size` is that of a regular expression's program. */
export function bytesOf({ source, target }: Pick<Rule, 'source' | 'target'>, size: number): number {
  return RULE_OCTETS + encodeUrl(source).length + encodeUrl(target).length + size * STEP_OCTETS;
}

/** A static rule: domain, path and target. */
interface Static {
  readonly domain: string;
  readonly path: string;
  readonly target: string;
  readonly redirectType: RedirectType;
  readonly octets: number;
}

/** The rules of a project. */
export class Matcher {
  readonly #statics = new Map<string, Map<string, Static>>();
  readonly #staticsById = new Map<string, Static>();
  readonly #patternsById = new Map<string, ChangedRule>();
  #patterns: PatternRules | null = null;
  #havePatternsChanged = false;
  #octets = 0;

  /** Approximate size in bytes. */
  get octets(): number {
    return this.#octets + (this.#patterns?.octets ?? 0);
  }

  /** Applies changed rules. Patterns take effect after `compilePatterns`. */
  change(rules: readonly ChangedRule[]): void {
    // Remove all old versions first: a path may have moved from one rule to another.
    for (const { id } of rules) this.#remove(id);
    for (const rule of rules) if (rule.is_active) this.#add(rule);
  }

  /** Compiles the patterns if any have changed. */
  async compilePatterns(): Promise<void> {
    if (!this.#havePatternsChanged) return;
    this.#havePatternsChanged = false;
    this.#patterns = await PatternRules.compile([...this.#patternsById.values()]);
  }

  /** Returns the redirect for a path, with an optional query, of a domain; null if there is none. */
  match(sourceDomain: string, source: string): Redirection | null {
    const domain = toDomain(sourceDomain);
    const asked = readAsked(source);
    if (asked === null) return null;
    const fixed = this.#statics.get(domain)?.get(asked.path);
    const found = fixed ?? this.#patterns?.find(domain, asked);
    if (!found) return null;
    const target = 'rank' in found ? targetOf(found, asked) : readTarget(found.target, false);
    if (target === null || leadsBack(target, domain, asked.path)) return null;
    return {
      redirect_type: found.redirectType,
      target_url: addressOf(target, asked.query),
      is_external: isExternal(target, domain),
    };
  }

  #remove(id: string): void {
    const fixed = this.#staticsById.get(id);
    const pattern = this.#patternsById.get(id);
    if (fixed) {
      this.#octets -= fixed.octets;
      this.#staticsById.delete(id);
      const ofDomain = this.#statics.get(fixed.domain);
      // Changes arrive in batches: another rule may have taken the path in an earlier one.
      if (ofDomain?.get(fixed.path) === fixed) ofDomain.delete(fixed.path);
    } else if (pattern) {
      this.#octets -= bytesOf(pattern, pattern.program_size);
      this.#patternsById.delete(id);
      this.#havePatternsChanged = true;
    }
  }

  #add(rule: ChangedRule): void {
    const octets = bytesOf(rule, rule.program_size);
    this.#octets += octets;
    if (rule.rule_type !== 'static') {
      this.#patternsById.set(rule.id, rule);
      this.#havePatternsChanged = true;
      return;
    }
    const { target, redirect_type: redirectType } = rule;
    const [domain, path] = [toDomain(rule.source_domain), toPath(rule.source)];
    const fixed = { domain, path, target, redirectType, octets };
    this.#staticsById.set(rule.id, fixed);
    const ofDomain = this.#statics.get(domain) ?? new Map<string, Static>();
    ofDomain.set(path, fixed);
    this.#statics.set(domain, ofDomain);
  }
}
