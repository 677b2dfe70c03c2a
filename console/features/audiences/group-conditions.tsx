import { type ApiFilters, readApiFilters } from '../../filters/api-filters.ts';
import { toApiFilters } from '../../filters/condition.ts';
import type { FieldTitles } from '../../filters/field-titles.ts';
import { FilterBar } from '../../filters/filter-bar.tsx';
import type { FilterState } from '../../filters/filter-state.ts';
import { parseFilter } from '../../filters/filter-text.ts';
import { AUDIENCE_FACTS } from './audience-filters.ts';
import classes from './condition-builder.module.css';
import { texts } from './texts.ts';

const { translate } = texts;

interface GroupConditionsProps {
  readonly value: ApiFilters;
  readonly titles: FieldTitles;
  readonly onChange: (value: ApiFilters) => void;
}

/** The conditions of one group as chips. What the console cannot express stays, and is named. */
export function GroupConditions({ value, titles, onChange }: GroupConditionsProps) {
  const { conditions, rest } = readApiFilters(value, AUDIENCE_FACTS);
  const state: FilterState = {
    filters: AUDIENCE_FACTS,
    conditions,
    search: '',
    unknown: { filters: [] },
    change: ({ filter = '' }) =>
      onChange({
        ...rest,
        ...toApiFilters<ApiFilters>(parseFilter(filter, AUDIENCE_FACTS).conditions, AUDIENCE_FACTS),
      }),
  };
  const kept = Object.keys(rest).filter((name) => name !== 'engagement');
  return (
    <div className={classes.conditions}>
      <FilterBar table={state} titles={titles} />
      {kept.length === 0 ? null : (
        <span className={classes.kept}>{translate('conditions.kept', { names: kept.join(', ') })}</span>
      )}
    </div>
  );
}
