import type { ReactNode } from 'react';
import {
  CheckboxGroup as AriaGroup,
  type CheckboxGroupProps as AriaProps,
} from 'react-aria-components/CheckboxGroup';
import classes from './choice.module.css';
import { FieldLabel, FieldNotes, type FieldProps, fieldState } from './field.tsx';

interface CheckboxGroupProps
  extends FieldProps,
    Pick<AriaProps, 'value' | 'defaultValue' | 'onChange' | 'name'> {
  /** A {@link Checkbox} with a `value` for each option. */
  readonly children: ReactNode;
}

/** A choice of any number of options. */
export function CheckboxGroup(props: CheckboxGroupProps) {
  return (
    <AriaGroup {...props} {...fieldState(props)}>
      <FieldLabel {...props} />
      <div className={classes.group}>{props.children}</div>
      <FieldNotes {...props} />
    </AriaGroup>
  );
}
