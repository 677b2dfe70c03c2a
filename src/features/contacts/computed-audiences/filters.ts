/**
 * Filters of audiences (docs/specification/subscribers.md#computed-audiences): those of the list of subscribers,
 * `engagement` (opens and clicks in the last days), and the groups `any` and `none`.
 */
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { AppError, type Issue } from '../../../errors/app-error.ts';
import { invalidRequest } from '../../../errors/platform-errors.ts';
import { conditionSql } from '../../../resources/filter-sql.ts';
import {
  type FilterCondition,
  limitConditions,
  MAX_AUDIENCE_CONDITIONS,
} from '../../../resources/filters.ts';
import { isUuid } from '../../../resources/keys.ts';
import type { Problems, Uses } from '../subscriber-groups/index.ts';
import { type Definitions, readSubscriberFilters } from '../subscribers/index.ts';
import { type EngagementRule, engagementSql, readEngagement } from './engagement.ts';
import { type AudienceFilters, type FlatFilters, findGroupIssues, flatFiltersOf } from './groups.ts';

const ADDITIONAL = 'additional_fields_data.';

/** Compiled filters. */
export interface CompiledFilters {
  /** Conditions that must all be true. */
  readonly conditions: readonly Expression<SqlBool>[];
  readonly problems: Problems;
}

/** An audience that filters reference. */
export interface NamedAudience {
  readonly id: string;
  /** Path of the condition. */
  readonly place: string;
}

/**
 * Validates filters and returns the audiences that they reference.
 * @throws AppError INVALID_REQUEST naming field and rule of each invalid condition.
 */
export function readAudienceFilters(
  filters: AudienceFilters,
  definitions: Definitions,
  isOfAudience = true,
): readonly NamedAudience[] {
  const parts = flatFiltersOf(filters);
  limitConditions(
    parts.map((part) => part.filters),
    'filters',
    MAX_AUDIENCE_CONDITIONS,
  );
  const issues = findGroupIssues(filters);
  const named = parts.flatMap((part) => readPart(part, definitions, isOfAudience, issues));
  if (issues.length > 0) throw invalidRequest(issues);
  return named;
}

/** Returns the audiences that one part references, and adds its faults to `issues`. */
function readPart(
  { place, filters }: FlatFilters,
  definitions: Definitions,
  isOfAudience: boolean,
  issues: Issue[],
): NamedAudience[] {
  const { engagement, ...fields } = filters;
  const read = () => readSubscriberFilters(fields, definitions, { isOfAudience, place });
  const conditions = collect(issues, read) ?? [];
  if (engagement !== undefined) {
    const rule = readEngagement(engagement, place);
    if ('message' in rule) issues.push(rule);
  }
  return conditions
    .filter(({ name }) => name === 'audiences')
    .flatMap(({ operands }) => operands.flat())
    .filter((id): id is string => typeof id === 'string' && isUuid(id))
    .map((id) => ({ id, place: `${place}.audiences.value` }));
}

/**
 * Compiles filters with the current field definitions. Nobody meets a condition that a later definition made invalid, even
 * within `none`.
 */
export function compileFilters(
  filters: AudienceFilters,
  definitions: Definitions,
  now: Date,
  isOfAudience = true,
): CompiledFilters {
  const issues: Issue[] = [];
  const compile = (part: FlatFilters) => compilePart(part, definitions, now, isOfAudience, issues);
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

/** SQL that is true if all conditions are true; false for null, which stands for an invalid condition. */
function allOf(conditions: readonly Expression<SqlBool>[] | null): RawBuilder<SqlBool> {
  if (conditions === null) return NEVER;
  return sql<SqlBool>`(${sql.join([sql`true`, ...conditions.map((each) => sql`(${each})`)], sql` and `)})`;
}

/** Compiles the conditions of one part. Returns null if one is invalid, and adds the reason to `issues`. */
function compilePart(
  { place, filters }: FlatFilters,
  definitions: Definitions,
  now: Date,
  isOfAudience: boolean,
  issues: Issue[],
): readonly Expression<SqlBool>[] | null {
  const { engagement, ...fields } = filters;
  const read = Object.entries(fields).map(([name, filter]) =>
    collect(issues, () => readSubscriberFilters({ [name]: filter }, definitions, { isOfAudience, place })),
  );
  const rule = engagement === undefined ? null : readEngagement(engagement, place);
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
  return flatFiltersOf(filters).flatMap(({ place, filters: { engagement } }) => {
    const rule = engagement === undefined ? null : readEngagement(engagement, place);
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
