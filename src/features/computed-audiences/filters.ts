/**
 * The filters of audiences (docs/specification/subscribers.md#computed-audiences): those of the list of subscribers, and
 * beside the fields `engagement`, what people did with mail in the last days.
 */
import { type Expression, type SqlBool, sql } from 'kysely';
import { AppError, type Issue } from '../../errors/app-error.ts';
import { invalidRequest } from '../../errors/platform-errors.ts';
import { conditionSql } from '../../resources/filter-sql.ts';
import { type FilterCondition, limitConditions, MAX_AUDIENCE_CONDITIONS } from '../../resources/filters.ts';
import { isUuid } from '../../resources/keys.ts';
import type { Problems, Uses } from '../subscriber-groups/index.ts';
import { type Definitions, PEOPLE, readPeopleFilters } from '../subscribers/index.ts';
import { type Engagement, engagedAfter } from '../transmissions/index.ts';

/** The filters of an audience as a body has them. */
export type AudienceFilters = Readonly<Record<string, unknown>>;

/** Whoever did something, or did not, within so many days. */
export interface EngagementRule {
  readonly what: Engagement;
  readonly days: number;
  readonly isDenied: boolean;
}

const RULES = {
  opened_since_days: { what: 'opened', isDenied: false },
  clicked_since_days: { what: 'clicked', isDenied: false },
  not_opened_since_days: { what: 'opened', isDenied: true },
} as const;
const RULE_NAMES = ['opened_since_days', 'clicked_since_days', 'not_opened_since_days'] as const;
const PLACE = 'filters.engagement';
const MOST_DAYS = 3650;
const DAY_MS = 24 * 60 * 60 * 1000;
const ADDITIONAL = 'additional_fields_data.';

/** What follows from filters that are in force. */
export interface CompiledFilters {
  /** All of them must hold. */
  readonly conditions: readonly Expression<SqlBool>[];
  readonly problems: Problems;
}

/** The moment so many days ago. */
export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}

/**
 * The ids that filters name as audiences: for an audience none of them may be computed.
 * @throws AppError INVALID_REQUEST naming field and rule of each condition that cannot be.
 */
export function readAudienceFilters(
  filters: AudienceFilters,
  definitions: Definitions,
  isOfAudience = true,
): readonly string[] {
  limitConditions(filters, 'filters', MAX_AUDIENCE_CONDITIONS);
  const { engagement, ...fields } = filters;
  const issues: Issue[] = [];
  const conditions = collect(issues, () => readPeopleFilters(fields, definitions, isOfAudience)) ?? [];
  if (engagement !== undefined) {
    const rule = readEngagement(engagement);
    if ('message' in rule) issues.push(rule);
  }
  if (issues.length > 0) throw invalidRequest(issues);
  const named = conditions.filter(({ name }) => name === 'audiences').flatMap(({ operands }) => operands);
  return named.flat().filter((id): id is string => typeof id === 'string' && isUuid(id));
}

/** The conditions that filters are by now. One that a later definition of its field has made impossible nobody meets. */
export function compileFilters(
  filters: AudienceFilters,
  definitions: Definitions,
  now: Date,
  isOfAudience = true,
): CompiledFilters {
  const { engagement, ...fields } = filters;
  const issues: Issue[] = [];
  const conditions = Object.entries(fields).flatMap(([name, filter]) => {
    const read = collect(issues, () => readPeopleFilters({ [name]: filter }, definitions, isOfAudience));
    return read === null ? [sql<SqlBool>`false`] : read.map(toSql);
  });
  const rule = engagementOf({ engagement });
  const engaged = rule === null ? [] : [engagementSql(rule, now)];
  return {
    conditions: [...conditions, ...engaged],
    problems: issues.map(({ field = 'filters', message }) => ({ field, message })),
  };
}

/** What filters ask about beside the subscriber's own columns. */
export function usesOf(filters: AudienceFilters | null): Uses {
  const names = Object.keys(filters ?? {});
  return {
    uses_engagement: names.includes('engagement'),
    uses_fields: names.some((name) => name.startsWith(ADDITIONAL)),
    uses_groups: names.includes('lists') || names.includes('audiences'),
  };
}

/** What filters ask of people's engagement, if they do. */
export function engagementOf({ engagement }: AudienceFilters): EngagementRule | null {
  const rule = engagement === undefined ? null : readEngagement(engagement);
  return rule === null || 'message' in rule ? null : rule;
}

function toSql(condition: FilterCondition): Expression<SqlBool> {
  return conditionSql(condition, condition.operands);
}

function engagementSql({ what, days, isDenied }: EngagementRule, now: Date): Expression<SqlBool> {
  const engaged = engagedAfter(what, daysBefore(now, days), PEOPLE);
  return isDenied ? sql<SqlBool>`not ${engaged}` : engaged;
}

function readEngagement(engagement: unknown): EngagementRule | Issue {
  const given = typeof engagement === 'object' && engagement !== null ? Object.entries(engagement) : [];
  const [[name, days] = [], ...others] = given;
  const rule = RULE_NAMES.find((each) => each === name);
  if (rule === undefined || others.length > 0)
    return { field: PLACE, message: `must be an object with one of ${RULE_NAMES.join(', ')}` };
  if (typeof days !== 'number' || !Number.isInteger(days) || days < 1 || days > MOST_DAYS)
    return { field: `${PLACE}.${rule}`, message: `must be an integer from 1 to ${MOST_DAYS}` };
  return { ...RULES[rule], days };
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
