import { RadioGroup as AriaGroup, RadioButton, RadioField } from 'react-aria-components/RadioGroup';
import { Text } from 'react-aria-components/Text';
import classes from './choice.module.css';
import fieldClasses from './field.module.css';
import { FieldLabel, FieldNotes, type FieldProps, fieldState } from './field.tsx';
import type { Option } from './option.ts';

interface RadioGroupProps<Id extends string> extends FieldProps {
  readonly options: readonly Option<Id>[];
  /** Null if nothing is selected. */
  readonly value: Id | null;
  readonly onChange: (value: Id) => void;
  readonly name?: string;
}

/** A choice between two to five options, all visible so that users can compare them. */
export function RadioGroup<Id extends string>(props: RadioGroupProps<Id>) {
  const { options, value, onChange } = props;
  const select = (chosen: string) => {
    const option = options.find(({ id }) => id === chosen);
    if (option !== undefined) onChange(option.id);
  };
  return (
    <AriaGroup
      {...fieldState(props)}
      {...(props.name === undefined ? {} : { name: props.name })}
      value={value}
      onChange={select}
    >
      <FieldLabel {...props} />
      <div className={classes.group}>
        {options.map(({ id, title, description, isDisabled = false }) => (
          <RadioField key={id} value={id} isDisabled={isDisabled} className={classes.choice ?? ''}>
            <RadioButton className={classes.control ?? ''}>
              <span className={classes.mark} data-round>
                <svg width="6" height="6" viewBox="0 0 6 6" fill="currentColor" aria-hidden="true">
                  <circle cx="3" cy="3" r="3" />
                </svg>
              </span>
              <span>{title}</span>
            </RadioButton>
            {description === undefined ? null : (
              <div className={classes.notes}>
                <Text slot="description" className={fieldClasses.help ?? ''}>
                  {description}
                </Text>
              </div>
            )}
          </RadioField>
        ))}
      </div>
      <FieldNotes {...props} />
    </AriaGroup>
  );
}
