/**
 * The rules of a project as requests are matched with them (docs/specification/pages.md#redirects): for each domain a map of its
 * static rules, and the pattern rules compiled. Changes are told one by one, so that ten thousand rules that are made one after
 * the other on a site in use are not ten thousand times compiled.
 */
import { PatternRules, targetOf } from './pattern-rules.ts';
import type { ChangedRule, Redirection, RedirectType, Rule } from './rule.ts';
import { encodeUrl, readAsked, toDomain, toPath } from './source.ts';
import { addressOf, isExternal, leadsBack, readTarget } from './target.ts';

/** What a rule takes in a matcher beside its texts, bytes, about. */
const RULE_OCTETS = 400;
/** What one step of a pattern's program takes: in its set, and by itself for its captures. */
const STEP_OCTETS = 500;

/** How much of a matcher a rule takes, bytes; `size` is that of a regular expression's program. */
export function bytesOf({ source, target }: Pick<Rule, 'source' | 'target'>, size: number): number {
  return RULE_OCTETS + encodeUrl(source).length + encodeUrl(target).length + size * STEP_OCTETS;
}

/** A static rule: of which domain and path, and where it leads. */
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

  /** What it takes in memory, about. */
  get octets(): number {
    return this.#octets + (this.#patterns?.octets ?? 0);
  }

  /** Takes rules as they are now; those among them that are patterns count when they have been compiled. */
  change(rules: readonly ChangedRule[]): void {
    // All that was before all that is: a path may have gone from one rule to another.
    for (const { id } of rules) this.#remove(id);
    for (const rule of rules) if (rule.is_active) this.#add(rule);
  }

  /** Compiles the patterns if any have changed. */
  async compilePatterns(): Promise<void> {
    if (!this.#havePatternsChanged) return;
    this.#havePatternsChanged = false;
    this.#patterns = await PatternRules.compile([...this.#patternsById.values()]);
  }

  /** Where a request for this path, with the query that it may have, is to be led on this domain; null: nowhere. */
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
      // Many changes are told by portions: another rule may have taken the path in an earlier one.
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
