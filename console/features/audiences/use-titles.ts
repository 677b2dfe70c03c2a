import type { ApiFilters } from '../../filters/api-filters.ts';
import type { FieldTitles } from '../../filters/field-titles.ts';
import { subscriberFieldTitles } from '../../people/field-titles.ts';
import { useLists } from '../../people/use-lists.ts';
import { groupsOf } from './audience-filters.ts';

const ADDITIONAL = 'additional_fields_data.';

/**
 * Returns the names of the fields that filters can have. Additional fields are named as they are stored. Lists are read
 * if filters name some, or `isBuilt` says that they may be chosen.
 */
export function useTitles(filters: ApiFilters, isBuilt = false): FieldTitles {
  const { all, any, none } = groupsOf(filters);
  const names = [all, ...any, ...none].flatMap((group) => Object.keys(group));
  const { data: lists = [] } = useLists(isBuilt || names.includes('lists'));
  const additional = names.filter((name) => name.startsWith(ADDITIONAL));
  return {
    ...subscriberFieldTitles(lists),
    ...Object.fromEntries(additional.map((name) => [name, { title: name.slice(ADDITIONAL.length) }])),
  };
}
