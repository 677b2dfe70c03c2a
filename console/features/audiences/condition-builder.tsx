import { lazy, Suspense } from 'react';
import type { ApiFilters } from '../../filters/api-filters.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type FilterGroups, filtersOf, groupsOf, type ItemGroup } from './audience-filters.ts';
import classes from './condition-builder.module.css';
import { GroupConditions } from './group-conditions.tsx';
import { texts } from './texts.ts';
import { useTitles } from './use-titles.ts';

const { translate } = texts;
// After the conditions: a number field is larger than all of them.
const EngagementField = lazy(async () => ({
  default: (await import('./engagement-field.tsx')).EngagementField,
}));

interface ConditionBuilderProps {
  readonly filters: ApiFilters;
  readonly onChange: (filters: Record<string, unknown>) => void;
}

/** Chooses the conditions of an audience: those that all must match, at least one of some, and none of others. */
export function ConditionBuilder({ filters, onChange }: ConditionBuilderProps) {
  const titles = useTitles(filters, true);
  const groups = groupsOf(filters);
  const change = (part: Partial<FilterGroups>) => onChange(filtersOf({ ...groups, ...part }));
  const items = (group: ItemGroup) => ({
    items: groups[group],
    titles,
    onChange: (next: readonly ApiFilters[]) => change({ [group]: next }),
  });
  return (
    <div className={classes.builder}>
      <fieldset className={classes.part}>
        <legend className={classes.legend}>{translate('conditions.all')}</legend>
        <GroupConditions value={groups.all} titles={titles} onChange={(all) => change({ all })} />
        <Suspense fallback={<Skeleton shape="fields" count={1} />}>
          <EngagementField value={groups.all} onChange={(all) => change({ all })} />
        </Suspense>
      </fieldset>
      <Items {...items('any')} group="any" />
      <Items {...items('none')} group="none" />
    </div>
  );
}

interface ItemsProps {
  readonly group: ItemGroup;
  readonly items: readonly ApiFilters[];
  readonly titles: ReturnType<typeof useTitles>;
  readonly onChange: (items: readonly ApiFilters[]) => void;
}

/** The items of a group, each with conditions that must match together. */
function Items({ group, items, titles, onChange }: ItemsProps) {
  return (
    <fieldset className={classes.part}>
      <legend className={classes.legend}>{translate(`conditions.${group}`)}</legend>
      {items.length === 0 ? null : (
        <ul className={classes.items}>
          {Array.from(items.entries(), ([index, item]) => (
            <li key={index} className={classes.item}>
              <GroupConditions
                value={item}
                titles={titles}
                onChange={(next) => onChange(items.with(index, next))}
              />
              <IconButton
                icon="x"
                size="small"
                label={translate('conditions.remove')}
                onPress={() => onChange(items.toSpliced(index, 1))}
              />
            </li>
          ))}
        </ul>
      )}
      <Button size="small" icon="plus" onPress={() => onChange([...items, {}])}>
        {translate(`conditions.${group}.add`)}
      </Button>
    </fieldset>
  );
}
