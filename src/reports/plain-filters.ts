/** Filters of a report request: plain values, `from` and `to` in addition to conditions. */
import type { Issue } from '../errors/app-error.ts';
import { invalidRequest } from '../errors/platform-errors.ts';
import { readTime } from '../resources/filter-values.ts';
import type { ReportDate, ReportFilters } from './report.ts';

/** Keys that limit the date of a report's rows. */
export const DATE_BOUNDS = ['from', 'to'] as const;

const OPERATIONS = { from: 'gte', to: 'lte' } as const;

/**
 * Converts request filters to conditions: a plain value becomes `eq`, an array `in`, `from` and `to` limit the report's
 * date. `{operation, value}` and operations with their values stay unchanged.
 * @throws AppError INVALID_REQUEST naming a bound that is not a date, or that a condition on the same field also sets.
 */
export function toConditions(filters: ReportFilters, date: ReportDate): ReportFilters {
  const issues: Issue[] = [];
  const conditions = Object.fromEntries(
    Object.entries(filters)
      .filter(([name]) => !DATE_BOUNDS.some((bound) => bound === name))
      .map(([name, filter]) => [name, toCondition(filter)]),
  );
  for (const bound of DATE_BOUNDS) {
    const value = Object.hasOwn(filters, bound) ? filters[bound] : undefined;
    if (value === undefined || value === null) continue;
    const moment = typeof value === 'string' ? momentOf(value, bound, date) : undefined;
    if (moment === undefined) {
      issues.push({ field: `filters.${bound}`, message: 'must be an ISO 8601 date or time' });
      continue;
    }
    const others = byOperation(conditions[date.field]);
    if (Object.hasOwn(others, OPERATIONS[bound])) {
      const message = `cannot be combined with ${OPERATIONS[bound]} of ${date.field}`;
      issues.push({ field: `filters.${bound}`, message });
    }
    conditions[date.field] = { ...others, [OPERATIONS[bound]]: moment };
  }
  if (issues.length > 0) throw invalidRequest(issues);
  return conditions;
}

function toCondition(filter: unknown): unknown {
  if (Array.isArray(filter)) return { operation: 'in', value: filter };
  return typeof filter === 'object' && filter !== null ? filter : { operation: 'eq', value: filter };
}

/** Converts a condition to operations with their values, to which others can be added. */
function byOperation(condition: unknown): Readonly<Record<string, unknown>> {
  if (typeof condition !== 'object' || condition === null) return {};
  if (!('operation' in condition)) return { ...condition };
  const value = 'value' in condition ? condition.value : null;
  return { [String(condition.operation)]: value };
}

/** Converts a bound to a time; a date without a time means the whole day. */
function momentOf(
  text: string,
  bound: (typeof DATE_BOUNDS)[number],
  { type }: ReportDate,
): string | undefined {
  const moment = readTime(text);
  if (moment === undefined || type === 'date') return moment?.slice(0, 10);
  return bound === 'to' && !text.includes('T') ? `${text}T23:59:59.999Z` : moment;
}
