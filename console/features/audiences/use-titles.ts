import type { ApiFilters } from '../../filters/api-filters.ts';
import type { FieldTitles } from '../../filters/field-titles.ts';
import { subscriberFieldTitles } from '../../people/field-titles.ts';
import { useLists } from '../../people/use-lists.ts';
import { groupsOf } from './audience-filters.ts';

const ADDITIONAL = 'additional_fields_data.';

/** Returns the names of the fields that filters can have. Additional fields are named as they are stored. */
export function useTitles(filters: ApiFilters): FieldTitles {
  const { data: lists = [] } = useLists();
  const { all, any, none } = groupsOf(filters);
  const names = [all, ...any, ...none].flatMap((group) => Object.keys(group));
  const additional = names.filter((name) => name.startsWith(ADDITIONAL));
  return {
    ...subscriberFieldTitles(lists),
    ...Object.fromEntries(additional.map((name) => [name, { title: name.slice(ADDITIONAL.length) }])),
  };
}
