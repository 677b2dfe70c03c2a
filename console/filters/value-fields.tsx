import type { FilterField } from '../../sdk/src/list-facts.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { CheckboxGroup } from '../ui/checkbox-group.tsx';
import { Select } from '../ui/select.tsx';
import { TextArea } from '../ui/text-area.tsx';
import { TextField } from '../ui/text-field.tsx';
import type { VALUE_COUNT } from './condition.ts';
import classes from './filter-bar.module.css';
import { filterTexts } from './texts.ts';

const { translate } = filterTexts;

interface ValueFieldsProps {
  readonly count: (typeof VALUE_COUNT)[keyof typeof VALUE_COUNT];
  readonly facts: FilterField;
  /** Names of the values. */
  readonly names: Readonly<Record<string, string>> | undefined;
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
}

/** The values of a condition: a choice if the field has few, else text, a number or a day. */
export function ValueFields({ count, facts, names, values, onChange }: ValueFieldsProps) {
  const [first = '', second = ''] = values;
  if (count === 'none') return null;
  const choices = choicesOf(facts, names);
  if (choices !== null && count === 'many')
    return (
      <CheckboxGroup label={translate('values')} value={[...values]} onChange={onChange}>
        {choices.map(({ id, title }) => (
          <Checkbox key={id} value={id} label={title} />
        ))}
      </CheckboxGroup>
    );
  if (choices !== null)
    return (
      <Select
        label={translate('value')}
        options={choices}
        value={choices.find(({ id }) => id === first)?.id ?? null}
        onChange={(value) => onChange([value])}
      />
    );
  if (count === 'many')
    return (
      <TextArea
        label={translate('values')}
        help={translate('values.help')}
        defaultValue={values.join('\n')}
        onChange={(text) => onChange(text.split('\n').filter((line) => line !== ''))}
      />
    );
  if (count === 'one')
    return (
      <OneValue
        label={translate('value')}
        facts={facts}
        value={first}
        onChange={(value) => onChange(present([value]))}
      />
    );
  return (
    <div className={classes.range}>
      <OneValue
        label={translate('from')}
        facts={facts}
        value={first}
        onChange={(value) => onChange([value, second])}
      />
      <OneValue
        label={translate('to')}
        facts={facts}
        value={second}
        onChange={(value) => onChange([first, value])}
      />
    </div>
  );
}

interface OneValueProps {
  readonly label: string;
  readonly facts: FilterField;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function OneValue({ label, facts, value, onChange }: OneValueProps) {
  // A link may have a time of day, which a field for days cannot show.
  const isDay = facts.type === 'time' && !value.includes('T');
  return (
    <TextField
      label={label}
      value={value}
      onChange={onChange}
      type={isDay ? 'date' : 'text'}
      {...(facts.type === 'number' ? { inputMode: 'decimal' } : {})}
    />
  );
}

function choicesOf({ type, values }: FilterField, names: Readonly<Record<string, string>> = {}) {
  if (type === 'boolean')
    return [
      { id: 'true', title: translate('value.true') },
      { id: 'false', title: translate('value.false') },
    ];
  const ids = values ?? Object.keys(names);
  return ids.length === 0 ? null : ids.map((id) => ({ id, title: names[id] ?? id }));
}

function present(values: readonly string[]): readonly string[] {
  return values.filter((value) => value !== '');
}
