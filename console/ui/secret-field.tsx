import { Group } from 'react-aria-components/Group';
import { Input } from 'react-aria-components/Input';
import { TextField as AriaTextField } from 'react-aria-components/TextField';
import { CopyButton } from './copy-button.tsx';
import { FieldLabel, FieldNotes, fieldState } from './field.tsx';
import inputClasses from './input.module.css';
import classes from './secret-field.module.css';
import { uiTexts } from './texts.ts';

interface SecretFieldProps {
  readonly label: string;
  readonly value: string;
  /** Default: says that it is not shown again. */
  readonly help?: string;
  /** The button that copies it has the focus, so that another Enter does not lose the secret. */
  readonly autoFocus?: boolean;
}

/** A secret that was just created, which the server shows only once. */
export function SecretField({
  label,
  value,
  help = uiTexts.translate('secret.once'),
  autoFocus = false,
}: SecretFieldProps) {
  const props = { label, help };
  return (
    <AriaTextField {...fieldState(props)} value={value} isReadOnly>
      <FieldLabel {...props} />
      <div className={classes.row}>
        <Group className={inputClasses.box ?? ''}>
          <Input
            className={`${inputClasses.input} ${inputClasses.mono}`}
            dir="ltr"
            onFocus={(event) => event.currentTarget.select()}
          />
        </Group>
        <CopyButton text={value} isLabelVisible autoFocus={autoFocus} />
      </div>
      <FieldNotes {...props} />
    </AriaTextField>
  );
}
