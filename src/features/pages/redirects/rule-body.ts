/** Checks the bodies of rules and computes their stored columns. */
import { createHash } from 'node:crypto';
import type { Issue } from '../../../errors/app-error.ts';
import { type BodyCheck, check } from '../../../http/body-checks.ts';
import type { Columns } from '../../../resources/body.ts';
import { bytesOf } from './matcher.ts';
import { findStrayPlaceholder, MAX_PROGRAM_SIZE, sizeOfPattern } from './pattern.ts';
import type { RedirectBody } from './resource.ts';
import { toDomain, toPath } from './source.ts';
import { isExternal, isSelfRedirect, readTarget } from './target.ts';

/** Returns the target fields of a rule type; those of other types must be empty. */
function fieldsOf(type: RedirectBody['rule_type']) {
  return type === undefined || type === 'static'
    ? ({ source: 'source_url_path', target: 'target_url' } as const)
    : ({ source: 'source_pattern', target: 'target_pattern' } as const);
}

/** Rules of a body that the schema does not cover. */
export const REDIRECT_CHECKS: readonly BodyCheck<RedirectBody>[] = [
  check(
    ['source_domain', 'rule_type', 'source_url_path', 'target_url', 'source_pattern', 'target_pattern'],
    findFaults,
  ),
];

function findFaults(body: RedirectBody): Issue[] {
  const { source, target } = fieldsOf(body.rule_type);
  const issues = [source, target].flatMap((field) =>
    body[field] ? [] : [{ field, message: `is required for ${body.rule_type ?? 'static'} rules` }],
  );
  const [from, to] = [body[source], body[target]];
  if (!from || !to) return issues;
  return body.rule_type === 'regex' ? findFaultsOfRegex(from, to) : findFaultsOfPath(body, from, to);
}

function findFaultsOfPath({ rule_type, source_domain }: RedirectBody, from: string, to: string): Issue[] {
  const fields = fieldsOf(rule_type);
  const issues: Issue[] = [];
  if (/[?#]/.test(from))
    issues.push({ field: fields.source, message: 'must be a path without query or fragment' });
  const target = readTarget(to, false);
  if (target === null) issues.push(invalidTarget(fields.target));
  else if (isSelfRedirect(target, source_domain, toPath(from)))
    issues.push({ field: fields.target, message: 'must not redirect to its own source' });
  return issues;
}

function findFaultsOfRegex(from: string, to: string): Issue[] {
  const pattern = sizeOfPattern(from);
  const issues: Issue[] = [];
  if (pattern === null)
    issues.push({
      field: 'source_pattern',
      message: `must be a valid RE2 expression with at most ${MAX_PROGRAM_SIZE} compiled steps`,
    });
  if (readTarget(to, true) === null) issues.push(invalidTarget('target_pattern'));
  const stray = pattern && findStrayPlaceholder(to, pattern.groups);
  if (stray)
    issues.push({ field: 'target_pattern', message: `uses ${stray}, but the expression has no such group` });
  return issues;
}

function invalidTarget(field: string): Issue {
  const message =
    'must be a path that starts with a single slash, or an http or https URL without captures in its host';
  return { field, message };
}

/** Returns the computed columns of a checked body. */
export function ruleColumns(body: RedirectBody): Columns & RuleSize {
  const { rule_type = 'static' } = body;
  const { source: sourceField, target: targetField } = fieldsOf(rule_type);
  const [source, target] = [body[sourceField] ?? '', body[targetField] ?? ''];
  const domain = toDomain(body.source_domain);
  const read = readTarget(target, rule_type === 'regex');
  const size = rule_type === 'regex' ? (sizeOfPattern(source)?.size ?? 0) : 0;
  return {
    source_url_path: null,
    target_url: null,
    source_pattern: null,
    target_pattern: null,
    [sourceField]: source,
    [targetField]: target,
    source_domain: body.source_domain.toLowerCase(),
    is_external: read !== null && isExternal(read, domain),
    source_digest: rule_type === 'static' ? digestOf(domain, source) : null,
    program_size: size,
    octets: bytesOf({ source, target }, size),
  };
}

/** The share of a project's limits that a rule uses. */
export interface RuleSize {
  readonly program_size: number;
  readonly octets: number;
}

function digestOf(domain: string, path: string): string {
  return createHash('sha256')
    .update(`${domain} ${toPath(path)}`)
    .digest('base64url');
}
