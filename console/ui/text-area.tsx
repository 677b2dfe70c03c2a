import { Group } from 'react-aria-components/Group';
import { TextArea as AriaTextArea } from 'react-aria-components/TextArea';
import { TextField as AriaTextField } from 'react-aria-components/TextField';
import { FieldLabel, FieldNotes, type FieldProps, fieldState } from './field.tsx';
import classes from './input.module.css';
import type { TextInputProps } from './text-field.tsx';

interface TextAreaProps extends FieldProps, TextInputProps {
  readonly placeholder?: string;
  /** Shows the text in a monospaced font, for code. */
  readonly isMono?: boolean;
}

/** Several lines of text. It grows with its content. */
export function TextArea(props: TextAreaProps) {
  const { placeholder = '', isMono = false } = props;
  return (
    <AriaTextField {...props} {...fieldState(props)}>
      <FieldLabel {...props} />
      <Group className={classes.box ?? ''}>
        <AriaTextArea
          className={`${classes.input} ${isMono ? classes.mono : ''}`}
          placeholder={placeholder}
          dir={isMono ? 'ltr' : 'auto'}
        />
      </Group>
      <FieldNotes {...props} />
    </AriaTextField>
  );
}
