import { Button } from 'react-aria-components/Button';
import { ListBox } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select';
import { FieldLabel, FieldNotes, type FieldProps, fieldState } from './field.tsx';
import { Icon } from './icon.tsx';
import inputClasses from './input.module.css';
import type { Option } from './option.ts';
import listClasses from './option-item.module.css';
import { OptionItem } from './option-item.tsx';
import classes from './select.module.css';
import { uiTexts } from './texts.ts';

interface SelectProps<Id extends string> extends FieldProps {
  readonly options: readonly Option<Id>[];
  /** Null if nothing is selected. */
  readonly value: Id | null;
  readonly onChange: (value: Id) => void;
  readonly placeholder?: string;
  readonly name?: string;
}

/** A choice between up to about 20 options. For more, or for options from the server, use {@link ComboBox}. */
export function Select<Id extends string>(props: SelectProps<Id>) {
  const { options, value, onChange, placeholder = uiTexts.translate('select.placeholder') } = props;
  const select = (key: unknown) => {
    const option = options.find(({ id }) => id === key);
    if (option !== undefined) onChange(option.id);
  };
  const state = fieldState(props);
  return (
    <AriaSelect
      {...state}
      {...(props.name === undefined ? {} : { name: props.name })}
      placeholder={placeholder}
      value={value}
      onChange={select}
    >
      <FieldLabel {...props} />
      <Button
        className={`${inputClasses.box} ${classes.trigger}`}
        data-invalid={state.isInvalid || undefined}
      >
        <SelectValue className={classes.value ?? ''}>
          {({ isPlaceholder }) =>
            isPlaceholder ? placeholder : options.find(({ id }) => id === value)?.title
          }
        </SelectValue>
        <Icon name="chevrons-up-down" size={14} className={classes.arrow} />
      </Button>
      <FieldNotes {...props} />
      <Popover className={listClasses.popover ?? ''} offset={4}>
        <ListBox className={listClasses.list ?? ''} items={options}>
          {(option) => <OptionItem {...option} />}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
