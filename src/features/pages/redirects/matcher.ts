/**
 * Matches requests with the rules of a project (docs/specification/pages.md#redirects). Each domain has a map of static
 * rules and a compiled set of pattern rules. Changes are applied one by one, so adding ten thousand rules one after
 * another does not compile all of them each time.
 */
import { PatternRules, targetOf } from './pattern-rules.ts';
import type { ChangedRule, Redirection, RedirectType, Rule } from './rule.ts';
import { encodeUrl, normalizeRequest, toDomain, toPath } from './source.ts';
import { addressOf, isExternal, isSelfRedirect, readTarget } from './target.ts';

/** Approximate size of a rule in addition to its texts, in bytes. */
const RULE_BYTES = 400;
/** Size of one step of a pattern's program, in bytes. A program is stored twice: in its set, and alone for captures. */
const STEP_BYTES = 500;

/** Returns the size of a rule in a matcher, in bytes; `size` is that of a regular expression's program. */
export function bytesOf({ source, target }: Pick<Rule, 'source' | 'target'>, size: number): number {
  return RULE_BYTES + encodeUrl(source).length + encodeUrl(target).length + size * STEP_BYTES;
}

/** A static rule: domain, path and target. */
interface StaticRule {
  readonly domain: string;
  readonly path: string;
  readonly target: string;
  readonly redirectType: RedirectType;
  readonly bytes: number;
}

/** The rules of a project. */
export class Matcher {
  readonly #statics = new Map<string, Map<string, StaticRule>>();
  readonly #staticsById = new Map<string, StaticRule>();
  readonly #patternsById = new Map<string, ChangedRule>();
  #patterns: PatternRules | null = null;
  #arePatternsStale = false;
  #bytes = 0;

  /** Approximate size in bytes. */
  get bytes(): number {
    return this.#bytes + (this.#patterns?.bytes ?? 0);
  }

  /** Applies changed rules. Patterns take effect after `compilePatterns`. */
  change(rules: readonly ChangedRule[]): void {
    // Remove all old versions first: a path may have moved from one rule to another.
    for (const { id } of rules) this.#remove(id);
    for (const rule of rules) if (rule.is_active) this.#add(rule);
  }

  /** Compiles the patterns if any have changed. */
  async compilePatterns(): Promise<void> {
    if (!this.#arePatternsStale) return;
    this.#arePatternsStale = false;
    this.#patterns = await PatternRules.compile([...this.#patternsById.values()]);
  }

  /** Returns the redirect for a domain and a path with an optional query; null if there is none. */
  match(sourceDomain: string, source: string): Redirection | null {
    const domain = toDomain(sourceDomain);
    const request = normalizeRequest(source);
    if (request === null) return null;
    const staticRule = this.#statics.get(domain)?.get(request.path);
    const found = staticRule ?? this.#patterns?.find(domain, request);
    if (!found) return null;
    const target = 'rank' in found ? targetOf(found, request) : readTarget(found.target, false);
    if (target === null || isSelfRedirect(target, domain, request.path)) return null;
    return {
      redirect_type: found.redirectType,
      target_url: addressOf(target, request.query),
      is_external: isExternal(target, domain),
    };
  }

  #remove(id: string): void {
    const staticRule = this.#staticsById.get(id);
    const pattern = this.#patternsById.get(id);
    if (staticRule) {
      this.#bytes -= staticRule.bytes;
      this.#staticsById.delete(id);
      const domainRules = this.#statics.get(staticRule.domain);
      // Changes arrive in batches: another rule may have taken the path in an earlier one.
      if (domainRules?.get(staticRule.path) === staticRule) domainRules.delete(staticRule.path);
    } else if (pattern) {
      this.#bytes -= bytesOf(pattern, pattern.program_size);
      this.#patternsById.delete(id);
      this.#arePatternsStale = true;
    }
  }

  #add(rule: ChangedRule): void {
    const bytes = bytesOf(rule, rule.program_size);
    this.#bytes += bytes;
    if (rule.rule_type !== 'static') {
      this.#patternsById.set(rule.id, rule);
      this.#arePatternsStale = true;
      return;
    }
    const { target, redirect_type: redirectType } = rule;
    const [domain, path] = [toDomain(rule.source_domain), toPath(rule.source)];
    const staticRule = { domain, path, target, redirectType, bytes };
    this.#staticsById.set(rule.id, staticRule);
    const domainRules = this.#statics.get(domain) ?? new Map<string, StaticRule>();
    domainRules.set(path, staticRule);
    this.#statics.set(domain, domainRules);
  }
}
