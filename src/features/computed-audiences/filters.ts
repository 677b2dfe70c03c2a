/**
 * The filters of audiences (docs/specification/subscribers.md#computed-audiences): those of the list of subscribers,
 * `engagement`, what people did with mail in the last days, and the groups `any` and `none`.
 */
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { AppError, type Issue } from '../../errors/app-error.ts';
import { invalidRequest } from '../../errors/platform-errors.ts';
import { conditionSql } from '../../resources/filter-sql.ts';
import { type FilterCondition, limitConditions, MAX_AUDIENCE_CONDITIONS } from '../../resources/filters.ts';
import { isUuid } from '../../resources/keys.ts';
import type { Problems, Uses } from '../subscriber-groups/index.ts';
import { type Definitions, readPeopleFilters } from '../subscribers/index.ts';
import { type EngagementRule, engagementSql, readEngagement } from './engagement.ts';
import { type AudienceFilters, type FlatFilters, findGroupIssues, flatFiltersOf } from './groups.ts';

const ADDITIONAL = 'additional_fields_data.';

/** What follows from filters that are in force. */
export interface CompiledFilters {
  /** All of them must hold. */
  readonly conditions: readonly Expression<SqlBool>[];
  readonly problems: Problems;
}

/** An audience that filters name. */
export interface NamedAudience {
  readonly id: string;
  /** Where its condition is. */
  readonly place: string;
}

/**
 * The ids that filters name as audiences: for an audience none of them may be computed.
 * @throws AppError INVALID_REQUEST naming field and rule of each condition that cannot be.
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

/** The audiences that one part names; its faults are added to `issues`. */
function readPart(
  { place, filters }: FlatFilters,
  definitions: Definitions,
  isOfAudience: boolean,
  issues: Issue[],
): NamedAudience[] {
  const { engagement, ...fields } = filters;
  const read = () => readPeopleFilters(fields, definitions, { isOfAudience, place });
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
 * The conditions that filters are by now. One that a later definition of its field has made impossible nobody meets, also where
 * `none` would turn that into everybody.
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

/** SQL: all conditions hold; null: they cannot. */
function allOf(conditions: readonly Expression<SqlBool>[] | null): RawBuilder<SqlBool> {
  if (conditions === null) return NEVER;
  return sql<SqlBool>`(${sql.join([sql`true`, ...conditions.map((each) => sql`(${each})`)], sql` and `)})`;
}

/** The conditions of one part; null when one of them is impossible, and why is among the issues. */
function compilePart(
  { place, filters }: FlatFilters,
  definitions: Definitions,
  now: Date,
  isOfAudience: boolean,
  issues: Issue[],
): readonly Expression<SqlBool>[] | null {
  const { engagement, ...fields } = filters;
  const read = Object.entries(fields).map(([name, filter]) =>
    collect(issues, () => readPeopleFilters({ [name]: filter }, definitions, { isOfAudience, place })),
  );
  const rule = engagement === undefined ? null : readEngagement(engagement, place);
  if (read.includes(null)) return null;
  const engaged = rule === null || 'message' in rule ? [] : [engagementSql(rule, now)];
  return [...read.flatMap((conditions) => (conditions ?? []).map(toSql)), ...engaged];
}

/** What filters ask about beside the subscriber's own columns. */
export function usesOf(filters: AudienceFilters | null): Uses {
  const names = flatFiltersOf(filters ?? {}).flatMap((part) => Object.keys(part.filters));
  return {
    uses_engagement: names.includes('engagement'),
    uses_fields: names.some((name) => name.startsWith(ADDITIONAL)),
    uses_groups: names.includes('lists') || names.includes('audiences'),
  };
}

/** What filters ask of people's engagement. */
export function engagementsOf(filters: AudienceFilters): EngagementRule[] {
  return flatFiltersOf(filters).flatMap(({ place, filters: { engagement } }) => {
    const rule = engagement === undefined ? null : readEngagement(engagement, place);
    return rule === null || 'message' in rule ? [] : [rule];
  });
}

function toSql(condition: FilterCondition): Expression<SqlBool> {
  return conditionSql(condition, condition.operands);
}

/** What `read` gives; null when it refuses, and why is among the issues. */
function collect<T>(issues: Issue[], read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AppError) || error.issues === undefined) throw error;
    issues.push(...error.issues);
    return null;
  }
}
