import { useRef } from 'react';
import { Group } from 'react-aria-components/Group';
import { Input } from 'react-aria-components/Input';
import { TextField as AriaTextField } from 'react-aria-components/TextField';
import { Button } from './button.tsx';
import { FieldLabel, FieldNotes, type FieldProps, fieldState } from './field.tsx';
import classes from './file-field.module.css';
import inputClasses from './input.module.css';

interface FileFieldProps extends FieldProps {
  /** The button, such as "Choose file". */
  readonly action: string;
  /** Media types and endings of names that the browser offers first. */
  readonly types: readonly string[];
  /** Null until one is chosen. */
  readonly file: File | null;
  readonly onChange: (file: File) => void;
}

/** A file of the user's device: its name, and a button that opens the browser's dialog. */
export function FileField(props: FileFieldProps) {
  const { action, types, file, onChange, disabledReason } = props;
  const input = useRef<HTMLInputElement>(null);
  return (
    <AriaTextField {...fieldState(props)} value={file?.name ?? ''} isReadOnly>
      <FieldLabel {...props} />
      <div className={classes.row}>
        <Group className={inputClasses.box ?? ''}>
          <Input className={inputClasses.input ?? ''} dir="auto" />
        </Group>
        <Button isDisabled={disabledReason !== undefined} onPress={() => input.current?.click()}>
          {action}
        </Button>
        {/* A plain element: that of React Aria would take the name of the file from the field. */}
        <input
          ref={input}
          type="file"
          hidden
          accept={types.join(',')}
          onChange={({ currentTarget: { files } }) => {
            const chosen = files?.[0];
            if (chosen !== undefined) onChange(chosen);
          }}
        />
      </div>
      <FieldNotes {...props} />
    </AriaTextField>
  );
}
