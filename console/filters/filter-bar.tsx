import { lazy, Suspense, useEffect, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { PlainButton } from '../ui/plain-button.tsx';
import { Popover } from '../ui/popover.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { Condition } from './condition.ts';
import { describeCondition, printCondition } from './condition-text.ts';
import type { FieldTitles } from './field-titles.ts';
import classes from './filter-bar.module.css';
import { type FilterState, removeCondition, setConditions } from './filter-state.ts';
import { filterTexts } from './texts.ts';

const { translate } = filterTexts;

// Lists without filters do not load them.
const loadEditor = () => import('./condition-editor.tsx');
const loadTextField = () => import('./filter-text-field.tsx');
const ConditionEditor = lazy(async () => ({ default: (await loadEditor()).ConditionEditor }));
const FilterTextField = lazy(async () => ({ default: (await loadTextField()).FilterTextField }));

interface FilterBarProps {
  readonly table: FilterState;
  readonly titles: FieldTitles;
}

/** The conditions of a list, each in a chip to change or remove, or all of them as text. */
export function FilterBar(props: FilterBarProps) {
  return Object.keys(props.table.filters.fields).length === 0 ? null : <Filters {...props} />;
}

function Filters({ table, titles }: FilterBarProps) {
  const [isText, setText] = useState(false);
  // After the rows, but before they are needed.
  useEffect(() => void Promise.all([loadEditor(), loadTextField()]), []);
  if (isText)
    return (
      <Suspense>
        <FilterTextField table={table} titles={titles} onClose={() => setText(false)} />
      </Suspense>
    );
  return (
    <>
      {table.conditions.map((condition) => (
        <Chip
          key={`${condition.field} ${condition.operation}`}
          condition={condition}
          table={table}
          titles={titles}
        />
      ))}
      <Popover
        trigger={
          <Button icon="list-filter" variant={table.conditions.length === 0 ? 'secondary' : 'quiet'}>
            {translate('add')}
          </Button>
        }
      >
        {({ close }) => (
          <Suspense fallback={<Skeleton />}>
            <ConditionEditor
              table={table}
              titles={titles}
              onApply={(condition) => {
                setConditions(table, [...table.conditions, condition]);
                close();
              }}
              onText={() => {
                close();
                setText(true);
              }}
            />
          </Suspense>
        )}
      </Popover>
    </>
  );
}

function Chip({ condition, table, titles }: FilterBarProps & { readonly condition: Condition }) {
  const described = describeCondition(condition, table.filters, titles);
  const { field, operation, values } = described;
  const text = printCondition(described);
  return (
    <span className={classes.chip}>
      <Popover
        trigger={
          <PlainButton className={classes.words} label={translate('chip.edit', { condition: text })}>
            {/* Screen readers and voice control need the spaces between the words. */}
            <span className={classes.field}>{field}</span>{' '}
            <span className={classes.operation}>{operation}</span>{' '}
            {values === '' ? null : (
              <span className={classes.values} dir="auto">
                {values}
              </span>
            )}
            <Icon name="chevron-down" size={12} />
          </PlainButton>
        }
      >
        {({ close }) => (
          <Suspense fallback={<Skeleton />}>
            <ConditionEditor
              table={table}
              titles={titles}
              condition={condition}
              onApply={(next) => {
                setConditions(
                  table,
                  table.conditions.map((each) => (each === condition ? next : each)),
                );
                close();
              }}
            />
          </Suspense>
        )}
      </Popover>
      <IconButton
        icon="x"
        size="small"
        label={translate('chip.remove', { condition: text })}
        onPress={() => removeCondition(table, condition)}
      />
    </span>
  );
}
