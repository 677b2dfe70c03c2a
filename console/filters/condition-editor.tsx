import { type FormEvent, useState } from 'react';
import { FILTER_OPERATIONS } from '../../sdk/src/list-facts.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/select.tsx';
import { TextField } from '../ui/text-field.tsx';
import { type Condition, findField, isValueOf, openStartOf, operationsOf, VALUE_COUNT } from './condition.ts';
import { titleOfOperation } from './condition-text.ts';
import { type FieldTitles, titleOf } from './field-titles.ts';
import classes from './filter-bar.module.css';
import type { FilterState } from './filter-state.ts';
import { filterTexts } from './texts.ts';
import { ValueFields } from './value-fields.tsx';

const { translate } = filterTexts;

interface ConditionEditorProps {
  readonly table: FilterState;
  readonly titles: FieldTitles;
  /** The condition to change; without it the editor makes a new one. */
  readonly condition?: Condition;
  readonly onApply: (condition: Condition) => void;
  /** Shows all conditions as text instead. */
  readonly onText?: () => void;
}

/** Field, operation and values of a condition. Enter applies it. */
export function ConditionEditor({ table, titles, condition, onApply, onText }: ConditionEditorProps) {
  const { filters, conditions } = table;
  const names = Object.keys(filters.fields);
  const [name, setName] = useState(
    condition === undefined ? (names[0] ?? '') : groupOf(names, condition.field),
  );
  const start = openStartOf(name);
  const [end, setEnd] = useState(start === null ? '' : (condition?.field.slice(start.length) ?? ''));
  const field = start === null ? name : `${start}${end}`;
  const facts = filters.fields[name] ?? { type: 'any' };
  const others = conditions.filter((each) => each !== condition && each.field === field);
  const operations = operationsOf(filters, facts);
  // The API takes each operation once per field.
  const free = operations.filter((each) => !others.some(({ operation }) => operation === each));
  const [chosen, setOperation] = useState(condition?.operation ?? null);
  const operation = free.find((each) => each === chosen) ?? free[0] ?? 'eq';
  const [values, setValues] = useState<readonly string[]>(condition?.values ?? []);
  const count = VALUE_COUNT[operation];
  const used = count === 'none' ? [] : values.slice(0, count === 'one' ? 1 : count === 'two' ? 2 : undefined);
  const isComplete = {
    none: true,
    one: used.length === 1,
    two: used.length === 2,
    many: used.length > 0,
  }[count];
  const isValid =
    isComplete && used.every((value) => isValueOf(facts, value)) && findField(filters, field) !== undefined;
  const apply = (event: FormEvent) => {
    event.preventDefault();
    // The popover is part of the page's tree, in which there may be another form.
    event.stopPropagation();
    if (isValid && free.length > 0) onApply({ field, operation, values: used });
  };
  const choose = (next: string) => {
    setName(next);
    setOperation(null);
    setValues([]);
  };
  return (
    <form className={classes.editor} onSubmit={apply} aria-label={translate('condition')}>
      <Select
        label={translate('field')}
        options={names.map((id) => ({ id, title: titleOf(titles, id) }))}
        value={name}
        onChange={choose}
      />
      {start === null ? null : <TextField label={translate('field.name')} value={end} onChange={setEnd} />}
      <Select
        label={translate('operation')}
        options={FILTER_OPERATIONS.filter((each) => free.includes(each)).map((id) => ({
          id,
          title: titleOfOperation(id, facts.type),
        }))}
        value={operation}
        onChange={setOperation}
      />
      <ValueFields
        key={`${field} ${count}`}
        count={count}
        facts={facts}
        names={titles[name]?.values}
        values={used}
        onChange={setValues}
      />
      <div className={classes.buttons}>
        <Button
          type="submit"
          variant="primary"
          size="small"
          disabledReason={isValid ? undefined : translate('apply.missing')}
        >
          {translate('apply')}
        </Button>
        {onText === undefined ? null : (
          <Button size="small" variant="quiet" onPress={onText}>
            {translate('as-text')}
          </Button>
        )}
      </div>
    </form>
  );
}

/** Returns the entry of a list's fields that a field belongs to. */
function groupOf(names: readonly string[], field: string): string {
  return (
    names.find((name) => name === field) ??
    names.find((name) => field.startsWith(openStartOf(name) ?? ' ')) ??
    field
  );
}
