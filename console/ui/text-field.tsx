import type { ReactNode } from 'react';
import { Group } from 'react-aria-components/Group';
import { Input } from 'react-aria-components/Input';
import {
  type TextFieldProps as AriaProps,
  TextField as AriaTextField,
} from 'react-aria-components/TextField';
import { FieldLabel, FieldNotes, type FieldProps, fieldState } from './field.tsx';
import classes from './input.module.css';

/** Properties of an input of text that React Aria handles. */
export type TextInputProps = Pick<
  AriaProps,
  | 'value'
  | 'defaultValue'
  | 'onChange'
  | 'onBlur'
  | 'onFocus'
  | 'onKeyDown'
  | 'name'
  | 'autoComplete'
  | 'autoFocus'
  | 'isReadOnly'
  | 'maxLength'
  | 'spellCheck'
>;

interface TextFieldProps extends FieldProps, TextInputProps, Pick<AriaProps, 'type' | 'inputMode'> {
  /** An example. It disappears when the user types, so it must not be the only explanation. */
  readonly placeholder?: string;
  /** Text or an icon before the value, such as "https://". */
  readonly prefix?: ReactNode;
  /** Text after the value, such as a unit. */
  readonly suffix?: ReactNode;
  /** Shows the text in a monospaced font, for codes and URLs. */
  readonly isMono?: boolean;
}

/** One line of text. */
export function TextField(props: TextFieldProps) {
  const { placeholder = '', prefix, suffix, isMono = false } = props;
  return (
    <AriaTextField {...props} {...fieldState(props)}>
      <FieldLabel {...props} />
      <Group className={classes.box ?? ''}>
        {prefix === undefined ? null : <span className={classes.prefix}>{prefix}</span>}
        <Input
          className={`${classes.input} ${isMono ? classes.mono : ''}`}
          placeholder={placeholder}
          dir={isMono ? 'ltr' : 'auto'}
        />
        {suffix === undefined ? null : <span className={classes.suffix}>{suffix}</span>}
      </Group>
      <FieldNotes {...props} />
    </AriaTextField>
  );
}
