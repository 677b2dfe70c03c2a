/**
 * Filters of audiences (docs/specification/subscribers.md#computed-audiences): those of the list of subscribers,
 * `engagement` (opens and clicks in the last days), and the groups `any` and `none`.
 */

import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { AppError, type Issue } from '../../../errors/app-error.ts';
import { invalidRequest } from '../../../errors/platform-errors.ts';
import type { FilterCondition } from '../../../resources/filter-sql.ts';
import { conditionSql } from '../../../resources/filter-sql.ts';
import { limitConditions, MAX_AUDIENCE_CONDITIONS } from '../../../resources/filters.ts';
import { isUuid } from '../../../resources/keys.ts';
import type { Problems, Uses } from '../subscriber-groups/index.ts';
import { type additionalFields, readSubscriberFilters } from '../subscribers/index.ts';
import {
  type AudienceFilters,
  type FlatFilters,
  findNestingIssues,
  flatFiltersOf,
} from './condition-groups.ts';
import { type EngagementRule, engagementSql, readEngagement } from './engagement.ts';

const ADDITIONAL = 'additional_fields_data.';

/** Compiled filters. */
export interface CompiledFilters {
  /** Conditions that must all be true. */
  readonly conditions: readonly Expression<SqlBool>[];
  readonly problems: Problems;
}

/** An audience that filters reference. */
export interface AudienceReference {
  readonly id: string;
  /** Path of the condition. */
  readonly path: string;
}

/**
 * Validates filters and returns the audiences that they reference.
 * @throws AppError INVALID_REQUEST naming field and rule of each invalid condition.
 */
export function readAudienceFilters(
  filters: AudienceFilters,
  definitions: additionalFields.Definitions,
  isForAudience = true,
): readonly AudienceReference[] {
  const parts = flatFiltersOf(filters);
  limitConditions(
    parts.map((part) => part.filters),
    'filters',
    MAX_AUDIENCE_CONDITIONS,
  );
  const issues = findNestingIssues(filters);
  const references = parts.flatMap((part) => readPart(part, definitions, isForAudience, issues));
  if (issues.length > 0) throw invalidRequest(issues);
  return references;
}

/** Returns the audiences that one part references, and adds its errors to `issues`. */
function readPart(
  { path, filters }: FlatFilters,
  definitions: additionalFields.Definitions,
  isForAudience: boolean,
  issues: Issue[],
): AudienceReference[] {
  const { engagement, ...fields } = filters;
  const read = () => readSubscriberFilters(fields, definitions, { isForAudience, path });
  const conditions = collect(issues, read) ?? [];
  if (engagement !== undefined) {
    const rule = readEngagement(engagement, path);
    if ('message' in rule) issues.push(rule);
  }
  return conditions
    .filter(({ name }) => name === 'audiences')
    .flatMap(({ operands }) => operands.flat())
    .filter((id): id is string => typeof id === 'string' && isUuid(id))
    .map((id) => ({ id, path: `${path}.audiences.value` }));
}

/**
 * Compiles filters with the current field definitions. A condition that a later definition made invalid matches no
 * subscriber, even within `none`.
 */
export function compileFilters(
  filters: AudienceFilters,
  definitions: additionalFields.Definitions,
  now: Date,
  isForAudience = true,
): CompiledFilters {
  const issues: Issue[] = [];
  const compile = (part: FlatFilters) => compilePart(part, definitions, now, isForAudience, issues);
  const parts = flatFiltersOf(filters);
  const [all, any, none] = (['all', 'any', 'none'] as const).map((group) =>
    parts.filter((part) => part.group === group).map(compile),
  );
  const isImpossible = none?.includes(null) === true;
  return {
    conditions: [
      ...(all ?? []).flatMap((conditions) => conditions ?? [NEVER]),
      ...(any?.length ? [sql<SqlBool>`(${sql.join(any.map(allOf), sql` or `)})`] : []),
      ...(isImpossible ? [NEVER] : (none ?? []).map((each) => sql<SqlBool>`(${allOf(each)}) is not true`)),
    ],
    problems: issues.map(({ field = 'filters', message }) => ({ field, message })),
  };
}

const NEVER = sql<SqlBool>`false`;

/** SQL that is true if all conditions are true; false for null, which means an invalid condition. */
function allOf(conditions: readonly Expression<SqlBool>[] | null): RawBuilder<SqlBool> {
  if (conditions === null) return NEVER;
  return sql<SqlBool>`(${sql.join([sql`true`, ...conditions.map((each) => sql`(${each})`)], sql` and `)})`;
}

/** Compiles the conditions of one part. Returns null if one is invalid, and adds the reason to `issues`. */
function compilePart(
  { path, filters }: FlatFilters,
  definitions: additionalFields.Definitions,
  now: Date,
  isForAudience: boolean,
  issues: Issue[],
): readonly Expression<SqlBool>[] | null {
  const { engagement, ...fields } = filters;
  const read = Object.entries(fields).map(([name, filter]) =>
    collect(issues, () => readSubscriberFilters({ [name]: filter }, definitions, { isForAudience, path })),
  );
  const rule = engagement === undefined ? null : readEngagement(engagement, path);
  if (read.includes(null)) return null;
  const engaged = rule === null || 'message' in rule ? [] : [engagementSql(rule, now)];
  return [...read.flatMap((conditions) => (conditions ?? []).map(toSql)), ...engaged];
}

/** Returns which data outside of the subscriber's columns filters read. */
export function usesOf(filters: AudienceFilters | null): Uses {
  const names = flatFiltersOf(filters ?? {}).flatMap((part) => Object.keys(part.filters));
  return {
    uses_engagement: names.includes('engagement'),
    uses_fields: names.some((name) => name.startsWith(ADDITIONAL)),
    uses_groups: names.includes('lists') || names.includes('audiences'),
  };
}

/** Returns the engagement rules of filters. */
export function engagementsOf(filters: AudienceFilters): EngagementRule[] {
  return flatFiltersOf(filters).flatMap(({ path, filters: { engagement } }) => {
    const rule = engagement === undefined ? null : readEngagement(engagement, path);
    return rule === null || 'message' in rule ? [] : [rule];
  });
}

function toSql(condition: FilterCondition): Expression<SqlBool> {
  return conditionSql(condition, condition.operands);
}

/** Returns the result of `read`. If it throws an AppError, returns null and adds the reasons to `issues`. */
function collect<T>(issues: Issue[], read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AppError) || error.issues === undefined) throw error;
    issues.push(...error.issues);
    return null;
  }
}
