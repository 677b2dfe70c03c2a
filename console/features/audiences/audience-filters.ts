/** The filters of an audience, in the groups that people choose. */
import { subscribersList } from '../../../sdk/src/generated/lists.ts';
import type { ListFilters } from '../../../sdk/src/list-facts.ts';
import type { ApiFilters } from '../../filters/api-filters.ts';

/** Groups of conditions: all must match, at least one `any`, and no `none`. */
export interface FilterGroups {
  readonly all: ApiFilters;
  readonly any: readonly ApiFilters[];
  readonly none: readonly ApiFilters[];
}

/** Groups with any number of items. */
export type ItemGroup = 'any' | 'none';

const { fields, operations } = subscribersList.filters;
const { business_unit: _unit, ...audienceFields } = fields;

/** Fields and operations of conditions. An audience belongs to one unit, so units are not among them. */
export const AUDIENCE_FACTS: ListFilters = {
  fields: audienceFields,
  operations: operations.filter((each) => each !== 'nemptyarray'),
};

/** Splits stored filters into groups. */
export function groupsOf({ any, none, ...all }: ApiFilters): FilterGroups {
  return { all, any: itemsOf(any), none: itemsOf(none) };
}

function itemsOf(group: unknown): readonly ApiFilters[] {
  return Array.isArray(group) ? group.map((item: unknown) => Object(item)) : [];
}

/** Joins groups to filters. */
export function filtersOf({ all, any, none }: FilterGroups): Record<string, unknown> {
  return { ...all, ...(any.length > 0 ? { any } : {}), ...(none.length > 0 ? { none } : {}) };
}

/** Returns filters without items that have no condition yet, which the server refuses. */
export function withoutEmptyItems(filters: ApiFilters): Record<string, unknown> {
  const { all, any, none } = groupsOf(filters);
  const hasConditions = (item: ApiFilters) => Object.keys(item).length > 0;
  return filtersOf({ all, any: any.filter(hasConditions), none: none.filter(hasConditions) });
}
