/** Groups of conditions in filters: `any` and `none`, in addition to those that must all be true. */
import type { Issue } from '../../../errors/app-error.ts';

/** Filters of a body: conditions by field, and `any` and `none` with lists of such filters. */
export type AudienceFilters = Readonly<Record<string, unknown>>;

/** Conditions that are combined with AND. */
export interface FlatFilters {
  /** Path of the conditions: `filters`, `filters.any[0]`. */
  readonly path: string;
  readonly group: 'all' | Group;
  readonly filters: Readonly<Record<string, unknown>>;
}

/** At least one of the filters in `any` must be true, and none of those in `none`. */
type Group = (typeof GROUPS)[number];
const GROUPS = ['any', 'none'] as const;

/** Splits filters into their top-level conditions and each item of `any` and `none`. Invalid groups are ignored. */
export function flatFiltersOf({ any, none, ...all }: AudienceFilters): FlatFilters[] {
  const nested = { any, none };
  const items = GROUPS.flatMap((group) => {
    const list: unknown = nested[group];
    return (Array.isArray(list) ? list : []).flatMap((item: unknown, index): FlatFilters[] => {
      if (!isObject(item)) return [];
      const { any: _any, none: _none, ...filters } = item;
      return [{ path: `filters.${group}[${index}]`, group, filters }];
    });
  });
  return [{ path: 'filters', group: 'all', filters: all }, ...items];
}

/** Finds groups that are not lists of filters, and nested groups. */
export function findNestingIssues(filters: AudienceFilters): Issue[] {
  return GROUPS.flatMap((group): Issue[] => {
    const list: unknown = filters[group];
    const field = `filters.${group}`;
    if (list === undefined) return [];
    if (!Array.isArray(list) || list.length === 0)
      return [{ field, message: 'must be a list of filters with at least one item' }];
    return list.flatMap((item: unknown, index) => {
      const path = `${field}[${index}]`;
      if (!isObject(item) || Object.keys(item).length === 0)
        return [{ field: path, message: 'must be an object with at least one condition' }];
      return GROUPS.filter((inner) => Object.hasOwn(item, inner)).map((inner) => ({
        field: `${path}.${inner}`,
        message: 'is not allowed here: groups cannot be nested',
      }));
    });
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
